import type { Page } from '@playwright/test'
import { createNotice } from '../../contract/notices.ts'
import { logIn } from '../account/steps.ts'
import { answer, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, waitUntilSettled, test, watch } from '../fixtures/test.ts'
import { saveButton, titleField } from '../notices/steps.ts'

const again = (page: Page) => page.getByRole('alertdialog', { name: '다시 로그인' })

async function signInAgain(page: Page): Promise<void> {
  await again(page).getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await again(page).getByRole('button', { name: '로그인', exact: true }).click()
}

const storage = (page: Page) => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
const TYPED = '로그아웃해도 남는 글'

/** Two pages of one user: a form with unsaved input, and one that has logged out since. */
async function logOutElsewhere(page: Page): Promise<Page> {
  await page.goto('/notice/insert')
  await titleField(page).fill(TYPED)
  await expect.poll(() => storage(page)).toContain(TYPED)
  const other = await page.context().newPage()
  watch(other)
  await other.goto('/main')
  await expect(other.getByRole('heading', { level: 1 })).toContainText('님')
  // Half a second behind: the draft of these keys is not stored yet when the other tab logs out.
  await titleField(page).press('End')
  await page.keyboard.type('!')
  await logOut(other)
  await expect(other).toHaveURL('/login')
  return other
}

test.describe('a logout in another tab (rules/account#logout-elsewhere)', () => {
  test('keeps unsaved input on screen, and off the storage, until its user logs in again', async ({
    as,
    expectAccessible,
  }) => {
    const { page, person } = await as('user')
    const idle = await page.context().newPage()
    watch(idle)
    await idle.goto('/notice/search')
    await expect(idle.getByRole('heading', { name: '공지사항 조회', level: 1 })).toBeVisible()
    const other = await logOutElsewhere(page)
    await expect(idle).toHaveURL('/login')
    await expect(again(page)).toContainText('다른 탭에서 로그아웃했습니다.')
    await expect(titleField(page)).toHaveValue(`${TYPED}!`)
    await expectAccessible(page)
    await other.reload()
    await expect(other.getByRole('button', { name: '로그인' })).toBeVisible()
    expect(await storage(page)).not.toContain(TYPED)

    await signInAgain(page)
    await expect(again(page)).toHaveCount(0)
    await expect.poll(() => storage(page)).toContain(`${TYPED}!`)
    await expect(other).toHaveURL('/main')
    await saveButton(page).click()
    await answer(page, '공지사항 등록', '네')
    await answer(page, '등록이 완료되었습니다.', '확인')
    expect((await storage(page)).includes(person.userId)).toBe(true)
  })

  test('goes on by itself when the same user logs in elsewhere', async ({ as }) => {
    const { page, person } = await as('user')
    const other = await logOutElsewhere(page)
    await expect(again(page)).toBeVisible()
    await logIn(other, person.userId, PASSWORD)
    await expect(again(page)).toHaveCount(0)
    await expect(titleField(page)).toHaveValue(`${TYPED}!`)
  })

  test('leaves nothing to another user who logs in, and sends nothing in their name', async ({
    as,
    server,
  }) => {
    const { page } = await as('user')
    const next = await server.createUser({ name: '다음사람이다' })
    const other = await logOutElsewhere(page)
    await expect(again(page)).toBeVisible()
    let sent = ''
    page.on('request', (request) => (sent += `${request.url()}\n`))
    await logIn(other, next.userId, PASSWORD)
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('다음사람이다 님')
    await waitUntilSettled(page)
    expect(sent).not.toContain(createNotice.path)
    expect(await storage(page)).not.toContain(TYPED)
    await page.goBack()
    await expect(page.locator('body')).not.toContainText(TYPED)
    await page.goto('/notice/insert')
    await expect(titleField(page)).toHaveValue('')
    await expect(page.getByRole('region', { name: '임시 저장' })).toHaveCount(0)
  })

  test('lets the user discard the input', async ({ as }) => {
    const { page, person } = await as('user')
    await logOutElsewhere(page)
    await again(page).getByRole('button', { name: '입력한 내용 버리기', exact: true }).click()
    await again(page).getByRole('button', { name: '계속', exact: true }).click()
    await expect(page).toHaveURL('/login')
    expect(await storage(page)).not.toContain(TYPED)
    await logIn(page, person.userId, PASSWORD)
    await expect(page).toHaveURL('/main')
  })

  test('leads to /login over an open dialog without input', async ({ as }) => {
    const { page } = await as('admin')
    await page.goto('/affiliation/manage')
    await page.getByRole('button', { name: '소속 추가', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    const other = await page.context().newPage()
    watch(other)
    await logOut(other)
    await expect(page).toHaveURL('/login')
  })
})
