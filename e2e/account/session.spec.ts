import { logOut } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { readStoredSession } from './steps.ts'

test.describe('addresses (rules/frame#pages, rules/frame#login-guard)', () => {
  test('guards pages by session_user_id, not by session_uid (rules/account#browser-memory)', async ({
    page,
  }) => {
    await page.goto('/login')
    await page.evaluate(() => localStorage.setItem('session_uid', 'something'))
    await page.goto('/main')
    await expect(page).toHaveURL('/login')
  })

  test('shows a visitor the pages with the menu that need no login', async ({ page }) => {
    for (const path of ['/notice/search', '/notice/detail?noticeId=1&writer=kim', '/notice/insert']) {
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
})
