import { logOut } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { GUARDED, readStoredSession } from './steps.ts'

test.describe('addresses (rules/frame#pages, rules/frame#login-guard)', () => {
  test('shows the login screen at / without a session and /main with one', async ({ page, as }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    await expect(page).toHaveURL('/')
    const { page: signedIn } = await as('user')
    await signedIn.goto('/')
    await expect(signedIn).toHaveURL('/main')
  })

  test('redirects every path that needs a login to /login without one', async ({ page }) => {
    for (const path of GUARDED) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/login')
      await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    }
  })

  test('guards pages by session_user_id, not by session_uid (rules/account#browser-memory)', async ({
    page,
  }) => {
    await page.goto('/login')
    await page.evaluate(() => localStorage.setItem('session_uid', 'something'))
    await page.goto('/main')
    await expect(page).toHaveURL('/login')
  })

  test('paths that need no login stay where they are', async ({ page }) => {
    const open = [
      '/notice/search',
      '/notice/detail?noticeId=1&writer=kim',
      '/notice/insert',
      '/find/id',
      '/reset/pw',
      '/signup',
    ]
    for (const path of open) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page, path).toHaveURL(path)
    }
  })
})

test.describe('logout (rules/account#logout)', () => {
  test('ends the session on the server, clears the storage and leads to /login', async ({ as, server }) => {
    const { page, person } = await as('user')
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
    await logOut(page)
    await expect(page).toHaveURL('/login')
    expect(await readStoredSession(page)).toEqual({ uid: null, userId: null })
    const sessions = await server.db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', person.id)
      .execute()
    expect(sessions).toEqual([])
    await page.goto('/main')
    await expect(page).toHaveURL('/login')
  })

  test('asks a user whom a link led to /logout, and keeps the session without an answer', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/logout')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('로그아웃')
    expect((await readStoredSession(page)).uid).not.toBeNull()
    // The focus is on the choice that ends nothing.
    await expect(page.getByRole('button', { name: '로그인 유지' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
  })

  test('leads to /login even without a session', async ({ page }) => {
    await page.goto('/logout')
    await expect(page).toHaveURL('/login')
  })

  test('ends the session in every tab of the browser', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
    const other = await page.context().newPage()
    await logOut(other)
    await expect(page).toHaveURL('/login')
  })
})
