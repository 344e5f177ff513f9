import type { Page } from '@playwright/test'
import { certifyEmail } from '../../contract/account.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { ROLE } from '../../contract/permissions.ts'
import { expect, PASSWORD, waitUntilSettled, test, type WorkerMaru } from '../fixtures/test.ts'
import { group } from './steps.ts'

const alert = (page: Page, text: string) => page.getByRole('alertdialog', { name: text, exact: true })
const search = (page: Page) => page.getByRole('button', { name: '검색', exact: true }).click()

async function endSessionOf(server: WorkerMaru, userId: string): Promise<void> {
  await server.db.deleteFrom('sessions').where('userId', '=', userId).execute()
}

test.describe('failures (rules/frame#session-failure, rules/frame#permission-failure, rules/frame#server-failure, rules/frame#server-unavailable)', () => {
  test('removes session and data on a 401 and redirects to /login after a warning (rules/frame#alert, rules/account#change-of-user)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page, person } = await as('admin')
    await page.goto('/user/search')
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    await page.evaluate(() => sessionStorage.setItem('user_search', 'left by an opened row'))
    await waitUntilSettled(page)
    await endSessionOf(server, person.id)
    await search(page)
    const dialog = alert(page, '로그인을 다시 해주세요.')
    await expect(dialog).toBeVisible()
    // Neither the rows nor the stored search stay.
    await expect(page.locator('tbody th')).toHaveCount(0)
    expect(await page.evaluate(() => sessionStorage.getItem('user_search'))).toBeNull()
    await expect(dialog.locator('svg')).toBeVisible()
    await expectAccessible(page)
    const confirm = dialog.getByRole('button', { name: '확인' })
    await expect(confirm).toBeFocused()
    await expect(confirm).toHaveCSS('background-color', 'rgb(57, 157, 54)')
    expect(await page.evaluate(() => localStorage.getItem('session_uid'))).toBeNull()
    await confirm.click()
    await expect(page).toHaveURL('/login')
  })

  test('reports a 401 on several concurrent calls once', async ({ as, server }) => {
    const { page, person } = await as('hr')
    await endSessionOf(server, person.id)
    await page.goto('/main')
    await page.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('redirects a visitor of an unguarded page to /login on a 401 (rules/frame#login-guard)', async ({
    as,
  }) => {
    // The notice screens call nothing until they are built; the frame's own calls are what is refused.
    const { page } = await as('user')
    await page.goto('/login')
    await expect(page).toHaveURL('/main')
    await page.evaluate(() => localStorage.setItem('session_uid', 'expired'))
    await page.goto('/notice/search')
    await alert(page, '로그인을 다시 해주세요.').getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/login')
  })

  test('redirects to /main after an alert on a 403', async ({ as, server }) => {
    const { page, person } = await as('admin')
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await waitUntilSettled(page)
    await server.db.updateTable('users').set({ roleCode: ROLE.user }).where('id', '=', person.id).execute()
    await search(page)
    await alert(page, '권한이 없습니다.').getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('img', { name: '사옥 그림' })).toBeVisible()
  })

  test('redirects to /main after a failed action, keeps input, and fails lists in place (rules/frame#kept-drafts)', async ({
    as,
    page: visitor,
    fragile,
    server,
  }) => {
    const { page } = await as('admin', {}, fragile)
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await waitUntilSettled(page)
    await visitor.goto(`${fragile.url}/find/id`)
    await visitor.getByLabel('이메일', { exact: true }).fill('somebody@example.com')
    await waitUntilSettled(visitor)
    await server.pool.query('alter table codes rename to codes_away')
    await server.pool.query('alter table certifications rename to certifications_away')
    try {
      await page.getByLabel('이름').fill('김')
      await search(page)
      const failed = page.getByRole('alert').filter({ hasText: '사용자 목록을 불러오지 못했습니다.' })
      await expect(failed).toBeVisible()
      await visitor.getByRole('button', { name: '인증하기' }).click()
      await alert(visitor, '관리자에게 문의해주세요.').getByRole('button', { name: '확인' }).click()
    } finally {
      await server.pool.query('alter table codes_away rename to codes')
      await server.pool.query('alter table certifications_away rename to certifications')
    }
    await page.getByRole('button', { name: '다시 시도' }).click()
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await expect(page).toHaveURL(/\/user\/search/)
    await expect(page.getByRole('table').getByRole('link', { name: /김/ }).first()).toBeVisible()
    await expect(page.getByLabel('이름')).toHaveValue('김')
    // /main asks a visitor to log in.
    await expect(visitor).toHaveURL(`${fragile.url}/login`)
    await visitor.getByRole('link', { name: '아이디 찾기' }).click()
    await visitor.getByRole('button', { name: '이어서 작성' }).click()
    await expect(visitor.getByLabel('이메일', { exact: true })).toHaveValue('somebody@example.com')
  })

  test('shows a retry in the list and keeps the screen without the server', async ({ as, fragile }) => {
    const { page } = await as('admin', {}, fragile)
    await page.goto('/user/search')
    await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
    await waitUntilSettled(page)
    await fragile.stopServer()
    await page.getByRole('button', { name: '다음 페이지' }).click()
    const failed = page.getByRole('alert').filter({ hasText: '사용자 목록을 불러오지 못했습니다.' })
    await expect(failed).toBeVisible()
    await expect(failed.getByRole('button', { name: '다시 시도' })).toBeVisible()
    // Nobody has to press it (rules/frame#offline).
    await fragile.startServer()
    await expect(page.getByRole('button', { name: '2페이지', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(failed).toBeHidden()
  })

  test('reports a truncated response, does not navigate and keeps the input (rules/frame#server-unavailable)', async ({
    page,
    relay,
  }) => {
    await page.goto(`${relay.url}/find/id`)
    const email = page.getByLabel('이메일', { exact: true })
    await email.fill('somebody@example.com')
    await waitUntilSettled(page)
    const mend = relay.breakOff(API_BASE + certifyEmail.path)
    await page.getByRole('button', { name: '인증하기' }).click()
    const said = page.getByRole('alertdialog').filter({ hasText: '서버에 연결할 수 없습니다.' })
    await said.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL(`${relay.url}/find/id`)
    await expect(email).toHaveValue('somebody@example.com')
    mend()
    await page.getByRole('button', { name: '인증하기' }).click()
    await expect(page.getByLabel('인증번호', { exact: true })).toBeFocused()
  })

  test('distinguishes an unavailable database from an unavailable server at login', async ({
    page,
    fragile,
    server,
  }) => {
    const { userId } = await server.createUser()
    await page.goto(`${fragile.url}/login`)
    await page.getByRole('textbox', { name: '아이디' }).fill(userId)
    await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await waitUntilSettled(page)
    fragile.cutDatabase()
    await page.getByRole('button', { name: '로그인' }).click()
    await alert(page, '관리자에게 문의해주세요.').getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL(`${fragile.url}/login`)
    await page.getByRole('textbox', { name: '아이디' }).fill(userId)
    await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
    await waitUntilSettled(page)
    await fragile.stopServer()
    await page.getByRole('button', { name: '로그인' }).click()
    await page
      .getByRole('alertdialog')
      .filter({ hasText: '서버에 연결할 수 없습니다.' })
      .getByRole('button', { name: '확인' })
      .click()
    await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
    await fragile.mendDatabase()
    await fragile.startServer()
    await page.getByRole('button', { name: '로그인' }).click()
    // The address changes before the screen's parts are there, and this Maru ends with the test.
    await expect(page).toHaveURL(`${fragile.url}/main`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
  })

  test('shows a name as text everywhere, never as HTML (rules/frame#names-are-text)', async ({ as }) => {
    const name = '<img src=x onerror=alert(1)>한 사람'
    const { page } = await as('admin', { name })
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs += 1
      void dialog.dismiss()
    })
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await group(page, '사용자').hover()
    await expect(page.getByRole('region', { name: '내 계정' })).toContainText(name)
    await page.mouse.move(700, 800)
    await page.goto('/user/search')
    await page.getByLabel('이름').fill('onerror=alert(1)>한')
    await search(page)
    await expect(page.getByText('총 1명')).toBeVisible()
    await expect(page.getByRole('rowheader', { name })).toBeVisible()
    await expect(page.locator('img[src=x]')).toHaveCount(0)
    expect(dialogs).toBe(0)
  })
})
