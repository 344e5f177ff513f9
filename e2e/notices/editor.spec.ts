import type { Page } from '@playwright/test'
import { pngOf } from '../../dev/test-kit/pictures.ts'
import { answer } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { expect, test } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'
import { expectHarmless, run, watchPolicy } from './xss-probe.ts'
import { memo, saveButton, titleField, writeNotice } from './steps.ts'

/* The editor of notices (rules/notices#editor). */

const text = (page: Page) => page.getByRole('textbox', { name: '내용', exact: true })
const source = (page: Page) => page.getByRole('checkbox', { name: 'Markdown으로 쓰기' })
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Returns the Markdown that the editor has, and returns to the editor. */
async function markdownOf(page: Page): Promise<string> {
  await source(page).check()
  const value = await text(page).inputValue()
  await source(page).uncheck()
  await expect(text(page)).toHaveAttribute('contenteditable', 'true')
  return value
}

/** Pastes HTML at the end of the text. */
async function pasteHtml(page: Page, html: string): Promise<void> {
  await text(page).press('ControlOrMeta+End')
  await text(page).evaluate((element, given) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', given)
    clipboardData.setData('text/plain', 'plain')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)
}

/** Returns HTML with deeply nested blocks. */
const deep = (depth: number, start: string, end: string) =>
  `${start.repeat(depth)}<p>깊은</p><p>글</p>${end.repeat(depth)}`

test('writes a notice as readers see it, by keyboard and toolbar (rules/notices#editor)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('user')
  await page.context().addInitScript(watchPolicy)
  await page.goto('/notice/insert')
  await titleField(page).fill('점검 안내')
  await page.getByText('내용', { exact: true }).click()
  await expect(text(page)).toBeFocused()
  await page.keyboard.type('내일 ')
  await page.keyboard.press('ControlOrMeta+b')
  await expect(tool(page, '굵게 (Ctrl+B)')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.type('점검(안)')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.type('을 ')
  await page.keyboard.press('ControlOrMeta+Shift+x')
  await expect(tool(page, '취소선 (Ctrl+Shift+X)')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.type('안')
  await tool(page, '취소선 (Ctrl+Shift+X)').click()
  await page.keyboard.press('ControlOrMeta+e')
  await expect(tool(page, '코드 (Ctrl+E)')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.type('2F')
  await page.keyboard.press('ControlOrMeta+e')
  await page.keyboard.type(' 봅니다.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- 하나')
  await page.keyboard.press('Enter')
  await page.keyboard.type('둘')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+k')
  const dialog = page.getByRole('dialog', { name: '링크 (Ctrl+K)' })
  await dialog.getByLabel('링크 주소').fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('https:// 로 시작하는 주소를 입력해주세요.')).toBeVisible()
  await dialog.getByLabel('링크 주소').fill('example.com/a')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(text(page)).toBeFocused()
  await tool(page, '표').click()
  await page.keyboard.type('항목')
  await tool(page, '오른쪽에 열 추가').click()
  await page.keyboard.press('Tab')
  await page.keyboard.type('단가')
  // Enter goes to the cell below.
  await page.keyboard.press('Enter')
  await page.keyboard.type('!')
  await expect(page.getByText('Esc를 누른 뒤 Tab을 누르면 편집기에서 나갑니다.')).toBeVisible()
  // Behind the last cell is a new row.
  for (const key of ['Tab', 'Tab', '3', 'Tab', '9', 'Shift+Tab', '4', 'Escape', 'Tab'])
    await page.keyboard.press(key)
  await expect(text(page)).not.toBeFocused()
  expect(await markdownOf(page)).toBe(
    '내일 **점검(안)**을 ~~안~~`2F` 봅니다.\n\n- 하나\n- 둘\n\n[https://example.com/a](https://example.com/a)\n\n' +
      '| 항목 | 단가 | 제목 2 |\n| --- | --- | --- |\n| 내용 | ! | 내용 |\n| 4 | 9 |  |',
  )
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  for (const width of [390, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await documentWidth(page)).toBeLessThanOrEqual(width)
  }
  await page.getByRole('button', { name: '미리보기' }).click()
  const preview = page.getByRole('region', { name: '미리보기' })
  await expect(preview.getByRole('columnheader')).toHaveText(['항목', '단가', '제목 2'])
  await page.getByRole('button', { name: '휴대폰 너비' }).click()
  await expect.poll(() => preview.evaluate(({ clientWidth }) => clientWidth)).toBeLessThan(390)
  expect(await page.evaluate(() => window.refused)).toEqual([])
  await saveButton(page).click()
  await answer(page, '공지사항 등록', '네')
  await answer(page, '등록이 완료되었습니다.', '확인')
  const { memoFormat } = await server.db
    .selectFrom('notices')
    .select('memoFormat')
    .where('title', '=', '점검 안내')
    .executeTakeFirstOrThrow()
  expect(memoFormat).toBe('markdown')
})

test('keeps what it does not edit byte for byte, and other Markdown as source (rules/notices#editor)', async ({
  as,
  server,
}) => {
  const { page, person } = await as('user')
  const typed = '* 하나\n* 둘\n***\n제목\n===\n글 [링크](https://example.com)  \n끝\n\n\n\n1) 가\n1) 나\n'
  const noticeId = await writeNotice(server, {
    title: '예전 글',
    memo: typed,
    memoFormat: 'markdown',
    author: person,
  })
  await page.goto(`/notice/insert?noticeId=${noticeId}`)
  await expect(text(page).getByRole('heading', { name: '제목' })).toBeVisible()
  expect(await markdownOf(page)).toBe(typed)
  await text(page).getByText('하나').click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await expect(text(page)).toContainText('하나!')
  expect(await markdownOf(page)).toBe(typed.replace('하나', '하나!').replace('둘\n', '둘\n\n'))
  await page.keyboard.press('ControlOrMeta+z')

  const references = '[규정]을 봅니다.\n\n[규정]: https://example.com'
  const other = await writeNotice(server, {
    title: '참조',
    memo: references,
    memoFormat: 'markdown',
    author: person,
  })
  await page.goto(`/notice/insert?noticeId=${other}`)
  await expect(page.getByText(/보존할 수 없는 Markdown/)).toBeVisible()
  await expect(text(page)).toHaveValue(references)
})

test('pastes tables and lists of office programs as clean Markdown (rules/notices#pasting)', async ({
  as,
}) => {
  const { page } = await as('user')
  await page.context().addInitScript(watchPolicy)
  await page.goto('/notice/insert')
  const check = async (html: string, markdown: string) => {
    await text(page).press('ControlOrMeta+a')
    await text(page).press('Delete')
    await pasteHtml(page, html)
    expect.soft(await markdownOf(page)).toBe(markdown)
    await expectHarmless(page, html)
  }
  await check(
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0cm} b {color:red}</style></head><body lang=KO>
    <!--StartFragment--><p class=MsoNormal><b><span lang=EN-US style='mso-fareast-language:KO'>1</span>분기</b> 안내<o:p></o:p></p>
    <p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><![endif]>하나</p>
    <p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>가.<span>&nbsp; </span></span>둘</p>
    <p class=MsoNormal>&nbsp;</p>
    <table class=MsoTableGrid border=1 style='mso-yfti-tbllook:1184'><tr><td><p class=MsoNormal><b>항목</b></p></td><td colspan=2><p>금액</p><p>(원)</p></td></tr>
    <tr><td>식대</td><td>1|0</td><td>2<br>3</td></tr></table><!--EndFragment--></body></html>`,
    '**1분기** 안내\n\n1. 하나\n   1. 둘\n\n| **항목** | 금액 (원) |  |\n| --- | --- | --- |\n| 식대 | 1\\|0 | 2 3 |',
  )
  await check(
    `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--td {mso-ignore:padding;} .xl65 {text-align:center;}--></style></head>
    <body><table border=0 style='border-collapse:collapse'><!--StartFragment--><col width=72><tr height=22><td class=xl65 rowspan=2>부서</td><td align=right x:num>10</td></tr>
    <tr><td align=right>20</td></tr><!--EndFragment--></table></body></html>`,
    '| 부서 | 10 |\n| --- | --- |\n|  | 20 |',
  )
  await check(
    `<!DOCTYPE HTML><HTML><BODY><P CLASS=HStyle0 STYLE='text-align:center;'><SPAN STYLE='font-family:"함초롬바탕";font-weight:bold;'>공 고</SPAN></P>
    <TABLE border="1"><TR><TD valign="middle" style='width:100px;border:solid #000 0.4pt;'><P CLASS=HStyle0><SPAN STYLE='font-family:"함초롬바탕"'>일시</SPAN></P></TD>
    <TD><P><SPAN>오전</SPAN></P><P><SPAN>10시</SPAN></P></TD></TR></TABLE></BODY></HTML>`,
    '**공 고**\n\n| 일시 | 오전 10시 |\n| --- | --- |',
  )
  await check(
    `<p onclick="${run('click')}">글<script>${run('script')}</script><img src=x onerror="${run('image')}"><iframe srcdoc="<script>${run('frame')}</script>"></iframe>
    <a href="javascript:${run('link')}">나쁜</a> <a href="https://example.com" onmouseover="${run('over')}">좋은</a><style>*{display:none}</style>
    <svg onload="${run('svg')}"></svg><img data-picture="javascript:${run('picture')}" alt="a](javascript:x)"></p>`,
    '글 나쁜 [좋은](https://example.com/)',
  )
})

/** Replaces the text by pasted HTML. @returns the Markdown of the editor */
async function markdownOfPasted(page: Page, html: string): Promise<string> {
  await text(page).press('ControlOrMeta+a')
  await text(page).press('Delete')
  await pasteHtml(page, html)
  return markdownOf(page)
}

test('pastes nothing that only readers would see, and all text of deep and endless HTML (rules/notices#pasting)', async ({
  as,
}) => {
  const { page } = await as('user')
  await page.goto('/notice/insert')
  const hidden = '&#10;&#10;# 숨은 제목&#10;&#10;'
  const links = await markdownOfPasted(
    page,
    `<p><a href="https://a.kr/" title="a${hidden}">규정</a> <img data-picture="image:abcdefghi1" alt="가${hidden}" title="나${hidden}">
      <img data-picture="https://a.kr/${hidden}" alt="다"></p>`,
  )
  expect.soft(links).toMatch(/^\[규정\]\(https:\/\/a\.kr\/\)[^\n]*$/)
  for (const [html, markdown] of [
    ['<ol start="2147483647"><li>하나</ol>', '1. 하나'],
    ['<h2 data-level="99">나</h2>', '## 나'],
    ['<h2 data-level="-1">가</h2>', '## 가'],
  ] as const)
    expect.soft(await markdownOfPasted(page, html)).toBe(markdown)

  // Deep and endless HTML loses no text.
  const merged = '<tr><td rowspan=2000 colspan=1000>가</td></tr>'
  for (const [html, markdown] of [
    [deep(120, '<blockquote>', '</blockquote>'), /^(?:> ){20}깊은 글$/],
    [deep(60, '<ul><li>가', '</li></ul>'), /가 깊은 글$/],
    // Each of these took minutes.
    [`<p>글</p>${'<a'.repeat(100_000)}`, /^글$/],
    [`<table>${merged.repeat(2_000)}</table>`, /^가/],
  ] as const)
    expect.soft(await markdownOfPasted(page, html)).toMatch(markdown)
})

test('inserts, describes and shows images in the text (rules/notices#inserting-pictures)', async ({
  as,
  server,
}) => {
  const { page } = await as('user')
  await page.goto('/notice/insert')
  await titleField(page).fill('층별 안내')
  await text(page).click()
  await page.keyboard.type('1층')
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles({ name: '배치도.png', mimeType: 'image/png', buffer: pngOf(64, 20) })
  const image = text(page).getByRole('img', { name: '배치도' })
  await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(64)
  await tool(page, '사진 설명').click()
  const dialog = page.getByRole('dialog', { name: '사진 설명' })
  await dialog.getByLabel('사진 설명').fill('정문 [1]')
  await page.keyboard.press('Enter')
  await expect(text(page).getByRole('img', { name: '정문 1' })).toBeVisible()
  expect(await markdownOf(page)).toMatch(/^1층\n\n!\[정문 1\]\(image:[a-z0-9]{10}\)$/)
  await saveButton(page).click()
  await answer(page, '공지사항 등록', '네')
  await answer(page, '등록이 완료되었습니다.', '확인')
  await expect(memo(page).getByRole('img', { name: '정문 1' })).toBeVisible()
  expect(
    await server.db.selectFrom('noticeFiles').select('id').where('picture', 'is not', null).execute(),
  ).not.toEqual([])
})

test('composes Korean without lost or doubled syllables (rules/notices#editor)', async ({ as }) => {
  const { page } = await as('user')
  await page.goto('/notice/insert')
  await text(page).click()
  const ime = await page.context().newCDPSession(page)
  const compose = async (steps: string[], end = steps.at(-1)!) => {
    for (const step of steps)
      await ime.send('Input.imeSetComposition', {
        text: step,
        selectionStart: step.length,
        selectionEnd: step.length,
      })
    await ime.send('Input.insertText', { text: end })
  }
  await compose(['ㄱ', '가', '간'], '가')
  await compose(['ㄴ', '나', '낟'], '나')
  await page.keyboard.press('ControlOrMeta+b')
  await compose(['ㄷ', '다'])
  await page.keyboard.press('ControlOrMeta+b')
  await compose(['ㄹ', '라'])
  await page.keyboard.press('Enter')
  await page.keyboard.type('- ')
  await compose(['ㅁ', '마'])
  await page.keyboard.press('Enter')
  await compose(['ㅂ', '바'])
  await page.keyboard.press('ArrowLeft')
  await compose(['ㅅ', '사'])
  expect(await markdownOf(page)).toBe('가나**다**라\n\n- 마\n- 사바')
})
