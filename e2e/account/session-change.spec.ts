import type { Page } from '@playwright/test'
import { logout } from '../../contract/account.ts'
import { listUsers } from '../../contract/users.ts'
import { startSession } from '../../server/callers/sessions.ts'
import { logIn, readStoredSession } from './steps.ts'
import { logOut } from '../fixtures/dialogs.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import { startRelay } from '../fixtures/fault-proxy.ts'
import { expect, PASSWORD, test, type WorkerMaru } from '../fixtures/test.ts'
import { openUser, search } from '../users/steps.ts'

const total = (page: Page) => page.getByText(/^총 \d+명$/)
const api = ({ path }: { path: string }) => `/api${path}`

async function endSessionsOf({ db }: WorkerMaru, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('userId', '=', userId).execute()
}

/** Creates a second session of a user, like a login on another device. */
function newSession({ db }: WorkerMaru, userId: string): Promise<string> {
  const session = { userId, address: '127.0.0.1', userAgent: 'another' }
  return db.transaction().execute((tx) => startSession(tx, session))
}

/** The search that an opened row leaves for the way back (rules/users#search-memory). */
const keptSearch = (page: Page) => page.evaluate(() => sessionStorage.getItem('user_search'))

test.describe('a 401 about the session that a call carried', () => {
  test('repeats the call when the session was replaced meanwhile', async ({ as, server, relay }) => {
    const { page, person } = await as('admin', {}, relay)
    const list = relay.hold(api(listUsers))
    await page.goto('/user/search')
    await list.reached
    // Changes the session like a password change in another tab (rules/account#session-end). The old session ends last:
    // no other call of the page may meet its end before the new one exists.
    const old = await server.db.selectFrom('sessions').select('tokenHash').execute()
    const uid = await newSession(server, person.id)
    await page.evaluate((fresh) => localStorage.setItem('session_uid', fresh), uid)
    const replaced = old.map((session) => session.tokenHash)
    await server.db
      .deleteFrom('sessions')
      .where('userId', '=', person.id)
      .where('tokenHash', 'in', replaced)
      .execute()
    list.release()
    await expect(total(page)).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    expect(await readStoredSession(page)).toEqual({ uid, userId: person.userId })
  })

  test('does nothing in the name of another user who logged in meanwhile', async ({ as, server, relay }) => {
    const { page } = await as('admin', { name: '먼저쓰던이' }, relay)
    const next = await server.createUser({ role: 'admin', name: '나중에온이' })
    await page.goto('/user/search')
    await search(page, '먼저쓰던이', 1)
    const list = relay.hold(api(listUsers))
    let calls = 0
    page.on('request', (request) => (calls += request.url().endsWith(listUsers.path) ? 1 : 0))
    await page.getByRole('button', { name: '검색', exact: true }).click()
    await list.reached

    const other = await page.context().newPage()
    await logOut(other)
    await logIn(other, next.userId, PASSWORD)
    await expect(other).toHaveURL('/main')
    await expect(page).toHaveURL('/main')
    list.release()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('나중에온이 님')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    expect((await readStoredSession(page)).userId).toBe(next.userId)
    expect(calls).toBe(1)
  })

  test('ends the current session even when the call is repeated once', async ({ as, server, relay }) => {
    const { page, person } = await as('admin', {}, relay)
    const list = relay.hold(api(listUsers))
    await page.goto('/user/search')
    await list.reached
    await endSessionsOf(server, person.id)
    await page.evaluate(() => localStorage.setItem('session_uid', 'expired-too'))
    list.release()
    await page.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/login')
    expect(await readStoredSession(page)).toEqual({ uid: null, userId: null })
  })
})

test.describe('data of a user that a page stores (rules/account#change-of-user)', () => {
  test('is gone after a logout here or in another tab', async ({ as, server }) => {
    const { page } = await as('admin')
    const next = await server.createUser({ role: 'admin' })
    await server.createUser({ name: '찾아본이' })
    await openUser(page, '찾아본이')
    const other = await page.context().newPage()
    await openUser(other, '찾아본이')
    expect(await keptSearch(page)).toContain('찾아본이')
    expect(await keptSearch(other)).toContain('찾아본이')

    await logOut(page)
    await expect(page).toHaveURL('/login')
    await expect(other).toHaveURL('/login')
    expect(await keptSearch(page)).toBeNull()
    expect(await keptSearch(other)).toBeNull()

    await logIn(page, next.userId, PASSWORD)
    await expect(page).toHaveURL('/main')
    await page.goto('/user/search')
    await expect(page.getByRole('textbox', { name: '이름' })).toHaveValue('')
  })

  test('reloads when the browser restores the page for another user', async ({ as, server }) => {
    const { page } = await as('admin', { name: '먼저보던이' })
    const next = await server.createUser({ role: 'user', name: '다음보는이' })
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('먼저보던이 님')
    // Frozen pages receive no events of other tabs. Chromium freezes none under a debugger, so the test changes the
    // storage itself.
    await page.evaluate(
      ([uid, userId]) => {
        localStorage.setItem('session_uid', uid)
        localStorage.setItem('session_user_id', userId)
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      },
      [next.session, next.userId] as const,
    )
    await expect(page.getByRole('heading', { level: 1 })).toContainText('다음보는이 님')
    await expect(page.getByText('먼저보던이')).toHaveCount(0)
  })
})

test.describe('a server that does not answer', () => {
  test('does not keep /logout from forgetting the session and going on', async ({ as, relay }) => {
    const { page } = await as('user', {}, relay)
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
    const call = relay.hold(api(logout))
    await logOut(page)
    await call.reached
    expect(await readStoredSession(page)).toEqual({ uid: null, userId: null })
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('textbox', { name: '아이디' })).toBeFocused()
  })

  test('never makes the page seal with a wrong key, even when /config.json fails once', async ({ page }) => {
    const env = { LOG_LEVEL: 'silent', ENVELOPE_KEY: 'another-portal-envelope-aes-key!' }
    const maru = await startOwnMaru(env)
    const { userId } = await maru.createUser()
    const relay = await startRelay(maru.url)
    // As where another server than Maru gives out the pages.
    relay.strip(/<meta name="config"[^>]*>/)
    const letThrough = relay.refuse('/config.json', 502)
    await page.goto(`${relay.url}/login`)
    await logIn(page, userId, PASSWORD)
    await page
      .getByRole('alertdialog')
      .filter({ hasText: '서버에 연결할 수 없습니다.' })
      .getByRole('button')
      .click()
    letThrough()
    await page.getByRole('button', { name: '로그인' }).click()
    // The address changes before the screen's parts are there, and this Maru ends with the test.
    await expect(page).toHaveURL(`${relay.url}/main`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
    await relay.close()
    await maru.close()
  })
})
