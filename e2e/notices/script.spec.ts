import { answer } from '../fixtures/dialogs.ts'
import { mailTo } from '../fixtures/mail.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { expectHarmless, run, watchPolicy } from './xss-probe.ts'
import { attachFile, chip, memo, rows, titleField, writeNotice } from './steps.ts'

const TITLE = `</title></script><script>${run('title')}</script><img src=x onerror="${run('title')}">`
const MEMO = `javascript:${run('memo')} <a href="javascript:${run('memo')}">여기</a><iframe srcdoc="<script>${run('memo')}</script>"></iframe> https://example.com/"onmouseover="${run('memo')}`
// A name of 50 characters, a file name without a slash: as far as the contract lets them go.
const NAME = `"><img src=x onerror="${run('name')}">`
const FILE = `<img src=x onerror="${run('file')}">&#x22;.svg`

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('notices').execute()
})

test('shows script in title, body, file name or author’s name as text everywhere', async ({ as, server }) => {
  await server.pool.query(`update users set approval_code = 'MEMAP002'`)
  const { page, person } = await as('admin', { name: NAME })
  const other = `${NAME}2`
  const late = await server.createUser({ name: other })
  await page.context().addInitScript(watchPolicy)
  const ids: string[] = []
  for (const ago of ['3 minutes', '2 minutes', '1 minute']) {
    ids.push(await writeNotice(server, { title: TITLE, memo: MEMO, author: person, mustRead: true, ago }))
    await attachFile(server, ids.at(-1)!, FILE)
  }

  const home = await page.goto('/main')
  const policy = home!.headers()['content-security-policy']!.split(';')
  // Only the document's own inline script is allowed, by its hash.
  expect(policy).toContainEqual(expect.stringMatching(/^script-src 'self' 'sha256-[^' ]+'$/))
  expect(policy).toContain("script-src-attr 'none'")
  expect(policy).toEqual(expect.arrayContaining(["object-src 'none'", "base-uri 'none'"]))
  await expect(
    page.getByRole('region', { name: '공지사항 조회' }).getByText(TITLE, { exact: true }),
  ).toHaveCount(3)
  await expect(page.getByRole('button', { name: `${FILE} 내려받기` })).toHaveCount(3)
  await expectHarmless(page, 'home')

  await page.goto(`/notice/search?${new URLSearchParams({ searchType: '작성자', searchText: NAME })}`)
  await expect(page.getByLabel('검색어')).toHaveValue(NAME)
  await expect(rows(page).filter({ hasText: TITLE })).toHaveCount(3)
  await expect(page.getByRole('cell', { name: NAME, exact: true })).toHaveCount(3)
  await expectHarmless(page, 'list')

  await page
    .getByRole('link', { name: `${TITLE} 상세 보기` })
    .nth(1)
    .click()
  await expect(page.getByRole('heading', { level: 1 }).filter({ hasText: TITLE })).toBeVisible()
  await expect(page.getByText(`${NAME} (${person.userId})`)).toBeVisible()
  await expect(memo(page)).toContainText(`<a href="javascript:${run('memo')}">여기</a>`)
  const links = memo(page).getByRole('link')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    'https://example.com/',
  ])
  await expect(
    page.getByRole('navigation', { name: '이전글과 다음글' }).getByRole('link', { name: TITLE }),
  ).toHaveCount(2)
  const readers = page.getByRole('region', { name: '읽음 확인 현황' })
  await expect(readers.getByRole('rowheader')).toHaveText([other])
  await expectHarmless(page, 'detail, neighbours, readers')
  await readers.getByRole('button', { name: '알림 메일 발송' }).click()
  await answer(page, '알림 메일', '네')
  const mail = await mailTo(server, late.email)
  expect(mail.subject).toContain(TITLE)
  expect(mail.html).not.toMatch(/<script|<img|onerror="/)
  // A reader of mails that has no policy of ours.
  const inbox = await page.context().newPage()
  await inbox.setContent(mail.html)
  await expect(inbox.locator('body')).toContainText(TITLE)
  await expect(inbox.locator('body')).toContainText(NAME)
  await expectHarmless(inbox, 'mail')
  await inbox.close()

  await page.goto(`/notice/insert?noticeId=${ids[0]}`)
  await expect(titleField(page)).toHaveValue(TITLE)
  await expect(page.getByRole('textbox', { name: '내용', exact: true })).toHaveValue(MEMO)
  await expect(chip(page, FILE)).toBeVisible()
  await expectHarmless(page, 'edit')

  await page.goto('/mypage')
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('이름', { exact: true })).toHaveValue(NAME)
  await expectHarmless(page, 'my page')
  await page.goto('/user/search')
  await page.getByRole('search').getByLabel('이름').fill(NAME)
  await page.keyboard.press('Enter')
  await expect(page.getByText('총 2명')).toBeVisible()
  await expectHarmless(page, 'user search')
  await page.getByRole('link', { name: `${other} 수정`, exact: true }).click()
  await expect(page.getByLabel('이름', { exact: true })).toHaveValue(other)
  await expectHarmless(page, 'user detail')
})
