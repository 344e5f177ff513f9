import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { logIn, passGate } from '../account/steps.ts'
import { answer, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { completeUser } from '../users/steps.ts'

/** A long form, and a field of it. */
interface LongForm {
  path: string
  field: (page: Page) => Locator
}

const byLabel = (label: string) => (page: Page) => page.getByLabel(label, { exact: true })

const offer = (page: Page) => page.getByRole('region', { name: '임시 저장' })
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length)

async function open(context: BrowserContext, { path, field }: LongForm): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  if (path === '/mypage') await passGate(page)
  await expect(field(page)).toBeVisible()
  return page
}

/** A browser that was killed: another one on what the first had stored. */
async function killed(browser: Browser, context: BrowserContext, baseURL: string): Promise<BrowserContext> {
  const storageState = await context.storageState()
  await context.close()
  return browser.newContext({ baseURL, storageState, locale: 'ko-KR' })
}

const said = (page: Page) => page.getByText('서버에 연결되어 있지 않습니다.')
const again = (page: Page) => page.getByRole('alertdialog', { name: '다시 로그인' })

test('keeps input after a session end, restart, lost connection, closed tab or crash (rules/frame#kept-drafts)', async ({
  browser,
  fragile,
  server,
}) => {
  const person = await server.createUser({ role: 'admin', name: '오래쓰는이' })
  const edited = await completeUser(server)
  const forms: LongForm[] = [
    { path: '/notice/insert', field: byLabel('제목') },
    { path: '/user/insert', field: byLabel('이름') },
    { path: '/mypage', field: byLabel('직급') },
    { path: '/partner/insert', field: byLabel('메모') },
    { path: `/partner/detail?partnerCode=${edited.partnerCode}`, field: byLabel('메모') },
    { path: '/setting/manage', field: byLabel('로고 글자') },
  ]
  let context = await browser.newContext({ baseURL: fragile.url, locale: 'ko-KR' })
  const first = await context.newPage()
  await first.goto('/login')
  await logIn(first, person.userId, PASSWORD)
  await expect(first).toHaveURL('/main')

  const pages: Page[] = []
  for (const form of forms) {
    const page = await open(context, form)
    await form.field(page).fill(`오래 쓴 글 ${forms.indexOf(form)}`)
    pages.push(page)
  }
  // A sign-up has no session to lose, but all the rest.
  const signUp: LongForm = { path: '/signup', field: byLabel('이름') }
  let visiting = await browser.newContext({ baseURL: fragile.url, locale: 'ko-KR' })
  const visitor = await open(visiting, signUp)
  await signUp.field(visitor).fill('가입하던 이')
  const stay = async () => {
    await expect(signUp.field(visitor)).toHaveValue('가입하던 이')
    for (const [index, { field }] of forms.entries())
      await expect(field(pages[index]!)).toHaveValue(`오래 쓴 글 ${index}`)
  }

  await visiting.setOffline(true)
  await context.setOffline(true)
  for (const page of pages) await expect(said(page)).toBeVisible()
  await visiting.setOffline(false)
  await context.setOffline(false)
  await fragile.stopServer()
  for (const page of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  for (const page of pages) await expect(said(page)).toBeVisible()
  await fragile.startServer()
  for (const page of pages) await expect(said(page)).toHaveCount(0)
  await stay()

  // Idle for too long; a new login in one tab continues in all tabs.
  await server.pool.query(
    `update sessions set last_used_at = now() - interval '31 minutes' where user_id = $1`,
    [person.id],
  )
  for (const page of pages) await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  for (const page of pages) await expect(again(page)).toBeVisible()
  await again(pages[0]!).getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await again(pages[0]!).getByRole('button', { name: '로그인', exact: true }).click()
  for (const page of pages) await expect(again(page)).toHaveCount(0)
  await stay()

  await expect.poll(() => drafts(visitor)).toBe(1)
  visiting = await killed(browser, visiting, fragile.url)
  const back = await open(visiting, signUp)
  await offer(back).getByRole('button', { name: '이어서 작성' }).click()
  await expect(signUp.field(back)).toHaveValue('가입하던 이')
  await visiting.close()

  // Half of the tabs are closed, then the browser is killed.
  await expect.poll(() => drafts(first)).toBe(forms.length)
  for (const page of pages.slice(0, 3)) await page.close()
  context = await killed(browser, context, fragile.url)
  for (const [index, form] of forms.entries()) {
    const page = await open(context, form)
    await offer(page).getByRole('button', { name: '이어서 작성' }).click()
    await expect(form.field(page)).toHaveValue(`오래 쓴 글 ${index}`)
    await expect(offer(page)).toHaveCount(0)
  }
  await context.close()
})

test('deletes a draft that is saved or discarded, and a sign-up’s with the next login (rules/frame#kept-drafts)', async ({
  as,
  server,
}) => {
  const edited = await completeUser(server, { name: '초안이있는이' })
  const { page } = await as('admin')
  page.on('dialog', (dialog) => void dialog.accept())
  const field = byLabel('직급')(page)
  const path = `/user/detail?userId=${edited.userId}`
  const type = async (text: string) => {
    await field.fill(text)
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(text)
  }
  await page.goto(path)
  await type('먼저 쓴 직급')
  // By home, which says that it is there (rules/home#own-drafts).
  await page.goto('/main')
  const begun = page.getByRole('region', { name: '작성 중인 내용' })
  await begun.getByRole('link', { name: /^사용자 수정/ }).click()
  await expect(page).toHaveURL(path)
  await expect(offer(page)).toBeVisible()
  // Typed over an offer that nobody has answered: both are kept.
  await type('다음에 쓴 직급')
  await page.reload()
  await offer(page).getByRole('button', { name: '버리기' }).click()
  await offer(page).getByRole('button', { name: '이어서 작성' }).click()
  await expect(field).toHaveValue('먼저 쓴 직급')
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await answer(page, '사용자 수정', '네')
  await answer(page, '수정이 완료되었습니다.', '확인')
  await expect.poll(() => drafts(page)).toBe(0)

  await type('버릴 직급')
  await page.getByRole('button', { name: '뒤로' }).click()
  await answer(page, '뒤로', '네')
  await expect(page).toHaveURL(/\/user\/search/)
  await expect.poll(() => drafts(page)).toBe(0)

  await logOut(page)
  await page.goto('/signup')
  await byLabel('이름')(page).fill('가입하려는이')
  await byLabel('비밀번호')(page).fill('never-Kept-2026!')
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('가입하려는이')
  const tab = await page.context().newPage()
  await page.close()
  await tab.goto('/signup')
  await offer(tab).getByRole('button', { name: '이어서 작성' }).click()
  await expect(byLabel('이름')(tab)).toHaveValue('가입하려는이')
  await expect(byLabel('비밀번호')(tab)).toHaveValue('')
  expect(await tab.evaluate(() => JSON.stringify(localStorage))).not.toContain('never-Kept')
  await tab.goto('/login')
  await logIn(tab, edited.userId, PASSWORD)
  await expect(tab).toHaveURL('/main')
  expect(await drafts(tab)).toBe(0)
})
