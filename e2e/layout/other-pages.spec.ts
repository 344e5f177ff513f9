import { expect, test } from '../fixtures/test.ts'
import { menu } from './steps.ts'

test.describe('an unknown address (rules/frame#page-not-found)', () => {
  test('shows a page that says so', async ({ page, as, expectAccessible, expectAccessibleInEveryLook }) => {
    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { name: '존재하지 않는 페이지입니다' })).toBeVisible()
    await expect(page).toHaveTitle('존재하지 않는 페이지 | 마루')
    await expect(page.getByRole('link', { name: '로그인 화면으로' })).toHaveAttribute('href', '/login')
    await expectAccessible(page)
    const { page: signedIn } = await as('user')
    await signedIn.goto('/user/nothing')
    await expect(signedIn.getByRole('heading', { name: '존재하지 않는 페이지입니다' })).toBeVisible()
    await expect(menu(signedIn)).toBeVisible()
    await expectAccessibleInEveryLook(signedIn)
    await signedIn.getByRole('link', { name: 'Go to home', exact: true }).click()
    await expect(signedIn).toHaveURL('/main')
  })
})
