import type { Page } from '@playwright/test'
import { createPasswords } from '../../server/services/password.ts'
import { logIn } from '../account/steps.ts'
import { answer, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, waitUntilSettled, test, watch, type WorkerMaru } from '../fixtures/test.ts'
import { attach, chip, filesOf, noticeIdOf, saveButton, titleField } from '../notices/steps.ts'

const ending = (page: Page) => page.getByRole('alertdialog', { name: '곧 로그아웃됩니다' })
const again = (page: Page) => page.getByRole('alertdialog', { name: '다시 로그인' })
const password = (page: Page) => again(page).getByLabel('비밀번호', { exact: true })

/** Has the page look at its session, as it does when it comes into sight. */
const comeIntoSight = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

/** Waits until a page has looked at its session, and has no open request. */
async function lookAtSession(page: Page): Promise<void> {
  const looked = page.waitForResponse(/chk\/session/)
  await comeIntoSight(page)
  await looked
  await waitUntilSettled(page)
}

/** Returns whether a page knows that its session was extended within the last minute. */
const isFresh = (page: Page) =>
  page.evaluate(() => {
    const { idleEndsAt } = JSON.parse(localStorage.getItem('session_limits') ?? '{"idleEndsAt":0}')
    return idleEndsAt - Date.now() > 29 * 60_000
  })

async function signInAgain(page: Page, typed = PASSWORD): Promise<void> {
  await password(page).fill(typed)
  await again(page).getByRole('button', { name: '로그인', exact: true }).click()
}

/** Ages the session of a user. */
const age = ({ pool }: WorkerMaru, id: string, { used = '0 s', begun = '0 s' }) =>
  pool.query(
    `update sessions set last_used_at = now() - $2::interval, created_at = now() - $3::interval where user_id = $1`,
    [id, used, begun],
  )

const endSessions = ({ db }: WorkerMaru, { id }: { id: string }) =>
  db.deleteFrom('sessions').where('userId', '=', id).execute()

test('extends a session by activity or a dialog in any tab, up to 12 hours (rules/account#activity, rules/frame#session-ending)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user')
  const isUsed = async () => {
    const { rowCount } = await server.pool.query(
      `select from sessions where user_id = $1 and last_used_at > now() - interval '10 minutes'`,
      [person.id],
    )
    return rowCount === 1
  }
  await page.context().clock.install()
  await page.goto('/notice/insert')
  const other = await page.context().newPage()
  watch(other)
  await other.goto('/notice/insert')
  await expect(titleField(other)).toBeVisible()
  // Typing is reported within a minute, viewing is not.
  async function typeUntilReported(key: string): Promise<void> {
    await age(server, person.id, { used: '20 minutes' })
    await lookAtSession(other)
    expect(await isUsed()).toBe(false)
    await titleField(page).press(key)
    await expect
      .poll(async () => {
        await page.clock.runFor(61_000)
        return isUsed()
      })
      .toBe(true)
    await waitUntilSettled(page)
    await lookAtSession(other)
    for (const tab of [page, other]) await expect.poll(() => isFresh(tab)).toBe(true)
  }
  await titleField(page).fill('오래 쓰는 글')
  // The first input loads the part of the layout that reports activity.
  await typeUntilReported('!')
  await typeUntilReported('?')

  await age(server, person.id, { used: '28 minutes 10 seconds' })
  await comeIntoSight(other)
  await expect(ending(other)).toBeVisible()
  await expect(ending(page)).toContainText(/남은 시간 1:\d\d/)
  await expect(page.getByRole('button', { name: '계속 사용' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: '계속 사용' }).click()
  await expect(ending(page)).toHaveCount(0)
  await expect(ending(other)).toHaveCount(0)
  expect(await isUsed()).toBe(true)
  await expect(titleField(page)).toBeFocused()

  await age(server, person.id, { begun: '11 hours 59 minutes' })
  await comeIntoSight(other)
  await expect(ending(page)).toContainText('연장할 수 없습니다')
  await ending(page).getByRole('button', { name: '지금 다시 로그인' }).click()
  await signInAgain(page)
  await expect(again(page)).toHaveCount(0)
  await expect(ending(other)).toHaveCount(0)
  await expect(titleField(page)).toHaveValue('오래 쓰는 글!?')
})

test('asks to log in again over unsaved input and repeats the failed call (rules/frame#signing-in-again)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user')
  const list = await page.context().newPage()
  watch(list)
  await list.goto('/notice/search?page=2')
  await expect(list.getByRole('heading', { name: '공지사항 조회', level: 1 })).toBeVisible()
  await page.goto('/notice/insert')
  await titleField(page).fill('세션이 끝나도 남는 글')
  await attach(page, '남는파일.txt', '내용')
  await waitUntilSettled(page)
  await waitUntilSettled(list)
  await endSessions(server, person)
  await saveButton(page).click()
  await answer(page, '공지사항 등록', '네')
  await expect(password(page)).toBeFocused()
  await expectAccessible(page)
  // A page without anything typed goes the usual way.
  await expect(list).toHaveURL('/login')

  const user = server.db.updateTable('users').where('id', '=', person.id)
  await signInAgain(page, 'wrong')
  await expect(again(page).getByRole('alert')).toHaveText('아이디 또는 비밀번호가 올바르지 않습니다.')
  await expect(password(page)).toBeFocused()
  await user.set({ validTo: '2020-01-01' }).execute()
  await signInAgain(page)
  await expect(again(page).getByRole('alert')).toContainText('기간')
  await user
    .set({
      validTo: null,
      passwordTemporary: true,
      passwordHash: await createPasswords().hash('Temporary-2026!'),
    })
    .execute()
  await signInAgain(page, 'Temporary-2026!')
  const change = page
    .getByRole('alertdialog', { name: '비밀번호 변경' })
    .filter({ has: page.getByLabel('새 비밀번호', { exact: true }) })
  await change.getByLabel('새 비밀번호', { exact: true }).fill('Another-2026-portal!')
  await change.getByLabel('새 비밀번호 확인').fill('Another-2026-portal!')
  await change.getByRole('button', { name: '비밀번호 변경' }).click()
  await page.getByRole('button', { name: '네', exact: true }).click()
  await answer(page, '비밀번호가 변경되었습니다.', '확인')

  await expect(change).toHaveCount(0)
  await expect(saveButton(page)).toBeFocused()
  await expect(titleField(page)).toHaveValue('세션이 끝나도 남는 글')
  await expect(chip(page, '남는파일.txt')).toBeVisible()
  await page.keyboard.press('Enter')
  await answer(page, '공지사항 등록', '네')
  await answer(page, '등록이 완료되었습니다.', '확인')
  await expect(page).toHaveURL(/\/notice\/detail/)
  expect(await filesOf(server, noticeIdOf(page))).toEqual(['남는파일.txt'])
})

test('shows nothing of a page to another user who logs in over it (rules/frame#signing-in-again)', async ({
  as,
  server,
}) => {
  const { page, person } = await as('user')
  const next = await server.createUser({ name: '다음사람이다' })
  await page.goto('/notice/insert')
  await titleField(page).fill('남에게 보이지 않는 글')
  await expect(page.getByText(/임시 저장했습니다/)).toBeVisible()
  await waitUntilSettled(page)
  await endSessions(server, person)
  await comeIntoSight(page)
  await again(page).getByLabel('아이디').fill(next.userId)
  await signInAgain(page)
  await again(page).getByRole('button', { name: '돌아가기' }).click()
  await expect(again(page).getByLabel('아이디')).toBeFocused()
  await expect(titleField(page)).toHaveValue('남에게 보이지 않는 글')
  await signInAgain(page)
  await again(page).getByRole('button', { name: '계속', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('다음사람이다 님')
  await expect(page).toHaveURL('/main')
  await page.goto('/notice/insert')
  await expect(saveButton(page)).toBeVisible()
  await expect(page.getByRole('region', { name: '임시 저장' })).toHaveCount(0)
})

test('leads to the requested or left page after login, as far as permitted (rules/account#after-the-login)', async ({
  page,
  as,
  server,
}) => {
  const person = await server.createUser({ role: 'user' })
  const wanted = '/key/search?requesterName=%EA%B9%80'
  await page.goto(wanted)
  await expect(page).toHaveURL('/login')
  await page.reload()
  await logIn(page, person.userId, PASSWORD)
  await expect(page).toHaveURL(wanted)
  await expect(page.getByRole('table')).toBeVisible()

  await waitUntilSettled(page)
  await endSessions(server, person)
  await comeIntoSight(page)
  await answer(page, '로그인을 다시 해주세요.', '확인')
  await expect(page).toHaveURL('/login')
  await logIn(page, person.userId, PASSWORD)
  await expect(page).toHaveURL(wanted)

  await logOut(page)
  await expect(page).toHaveURL('/login')
  await logIn(page, person.userId, PASSWORD)
  await expect(page).toHaveURL('/main')
  await logOut(page)

  await page.goto('/user/approval')
  await logIn(page, person.userId, PASSWORD)
  await answer(page, '권한이 없습니다.', '확인')
  await expect(page).toHaveURL('/main')

  // No entry in the history leads out of the portal.
  const { page: foreign } = await as('user')
  await foreign.goto('/main')
  await logOut(foreign)
  await expect(foreign).toHaveURL('/login')
  await foreign.evaluate(() =>
    history.replaceState({ ...history.state, next: { path: '//example.com', search: {}, of: null } }, ''),
  )
  await foreign.reload()
  await logIn(foreign, person.userId, PASSWORD)
  await expect(foreign).toHaveURL('/main')
})

test('reports a lost connection in place and reloads lists when it is back (rules/frame#offline)', async ({
  as,
}) => {
  const { page } = await as('admin')
  await page.goto('/user/search')
  await expect(page.getByText(/^총 \d+명$/)).toBeVisible()
  const name = page.getByLabel('이름', { exact: true })
  const at = await name.boundingBox()
  await name.fill('김')
  // Its words come late, and could not be fetched without a connection.
  await page.locator('[data-react-aria-top-layer][aria-live=polite]').waitFor({ state: 'attached' })
  await waitUntilSettled(page)
  await page.context().setOffline(true)
  const said = page.getByText('서버에 연결되어 있지 않습니다.')
  await expect(said).toBeVisible()
  expect(await name.boundingBox()).toEqual(at)
  await page.getByRole('button', { name: '검색', exact: true }).click()
  const failed = page.getByRole('alert').filter({ hasText: '사용자 목록을 불러오지 못했습니다.' })
  await expect(failed).toBeVisible()
  await page.context().setOffline(false)
  await expect(failed).toHaveCount(0)
  await expect(page.getByRole('table').getByRole('link', { name: /김/ }).first()).toBeVisible()
  await expect(said).toHaveCount(0)
  await expect(name).toHaveValue('김')
})
