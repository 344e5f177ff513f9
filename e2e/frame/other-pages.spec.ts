import { expect, test } from '../fixtures/test.ts'
import { menu } from './steps.ts'

test.describe('404 and planned screens (spec §2)', () => {
  test('a path outside the route table is a page that says so', async ({ page, as, expectAccessible }) => {
    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { name: '존재하지 않는 페이지입니다' })).toBeVisible()
    await expect(page).toHaveTitle('존재하지 않는 페이지 | 마루')
    await expect(page.getByRole('link', { name: '로그인 화면으로' })).toHaveAttribute('href', '/login')
    await expectAccessible(page)
    const { page: signedIn } = await as('user')
    await signedIn.goto('/user/nothing')
    await expect(signedIn.getByRole('heading', { name: '존재하지 않는 페이지입니다' })).toBeVisible()
    await signedIn.getByRole('link', { name: '홈으로', exact: true }).click()
    await expect(signedIn).toHaveURL('/main')
  })

  test('404 and not-built are accessible in Korean light, dark and English', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    await page.goto('/no/such/page')
    await expect(menu(page)).toBeVisible()
    await expectAccessibleInEveryLook(page)
    await page.goto('/partner/insert')
    await page.getByText('한국어', { exact: true }).click()
    await expectAccessibleInEveryLook(page)
  })

  test('planned screens say that they are not built, under their own title', async ({ as }) => {
    const { page } = await as('admin')
    const planned = [
      ['/partner/insert', '파트너 코드 등록'],
      ['/partner/detail?partnerCode=A1', '파트너 코드 상세'],
      ['/partner/search', '파트너 코드 정보 조회'],
    ] as const
    for (const [path, title] of planned) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: '아직 준비 중인 화면입니다' })).toBeVisible()
      await expect(page).toHaveTitle(`${title} | 마루`)
    }
  })
})
