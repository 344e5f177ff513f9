import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { expectHarmless, run, watchPolicy } from './xss-probe.ts'
import { memo, openSource, saveButton, titleField, writeNotice } from './steps.ts'

const { strings } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/xss-strings.json'), 'utf8'),
) as { strings: string[] }

test('writes a notice with the toolbar, previews it and shows it as written (rules/notices#toolbar)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  await server.db.deleteFrom('notices').execute()
  const { page, person } = await as('user', { name: '김서식' })
  const other = await writeNotice(server, { title: '먼저 쓴 글', author: person })
  await openSource(page)
  await titleField(page).fill('서식 있는 안내')
  const text = page.getByRole('textbox', { name: '내용', exact: true })
  await text.fill('점검')
  await text.press('ControlOrMeta+a')
  await text.press('ControlOrMeta+b')
  await expect(text).toHaveValue('**점검**')
  // As any typing, it can be taken back.
  await text.press('ControlOrMeta+z')
  await expect(text).toHaveValue('점검')
  await text.press('ControlOrMeta+b')
  await text.press('End')
  await text.press('Enter')
  // The toolbar is one stop of the tab key.
  await text.press('Shift+Tab')
  await expect(page.getByRole('checkbox', { name: '서식 사용' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: '굵게 (Ctrl+B)' })).toBeFocused()
  for (let i = 0; i < 8; i += 1) await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: '표', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(text).toBeFocused()
  await page.keyboard.type('항목')
  await text.press('ControlOrMeta+End')
  await page.keyboard.type(
    `\n# 순서\n\n- [먼저 쓴 글](/notice/detail?noticeId=${other})\n- https://example.com/a.\n`,
  )
  await page.getByRole('button', { name: '미리보기' }).click()
  const preview = page.getByRole('region', { name: '미리보기' })
  await expect(preview.getByRole('columnheader')).toHaveText(['항목', '제목 2'])
  await expect(text).toBeHidden()
  await saveButton(page).click()
  await answer(page, '공지사항 등록', '네')
  await answer(page, '등록이 완료되었습니다.', '확인')

  await expect(memo(page).getByRole('strong')).toHaveText('점검')
  await expect(memo(page).getByRole('heading', { name: '순서' })).toBeVisible()
  await expect(
    memo(page).getByRole('link', { name: 'https://example.com/a (새 창에서 열림)' }),
  ).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(page.getByRole('heading', { level: 1, name: '서식 있는 안내' })).toBeVisible()
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')

  // On paper the notice alone (rules/notices#print).
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.getByRole('button', { name: '인쇄' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', '')
  await page.emulateMedia({ media: 'print' })
  for (const role of ['banner', 'contentinfo', 'navigation'] as const)
    await expect(page.getByRole(role).filter({ visible: true }), role).toHaveCount(0)
  for (const name of ['인쇄', '삭제', '이력 보기'])
    await expect(page.getByRole('button', { name, exact: true }), name).toHaveCount(0)
  await expect(memo(page).getByRole('heading', { name: '순서' })).toBeVisible()
  await expect(page.getByText(`(${person.userId})`)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: '서식 있는 안내' })).toBeVisible()
  await expect(page.getByText('변경 이력', { exact: true })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })

  await memo(page).getByRole('link', { name: '먼저 쓴 글' }).click()
  await expect(page.getByRole('heading', { name: '먼저 쓴 글' })).toBeVisible()
  // An earlier notice stays plain text, and becomes Markdown if its author chooses so.
  await page.getByRole('link', { name: '수정', exact: true }).click()
  const markdown = page.getByRole('checkbox', { name: '서식 사용' })
  await expect(markdown).not.toBeChecked()
  await expect(page.getByRole('toolbar')).toHaveCount(0)
  await markdown.check()
  await expect(page.getByRole('toolbar', { name: '글 서식' })).toBeVisible()
})

test('runs no script of a collection in a Markdown notice (rules/notices#text-of-a-notice)', async ({
  as,
  server,
}) => {
  const { page, person } = await as('user')
  await page.context().addInitScript(watchPolicy)
  const asked: string[] = []
  page.on('dialog', (dialog) => asked.push(dialog.message()))
  const links = [
    `[글](javascript:${run('link')})`,
    `![글](javascript:${run('image')})`,
    `<javascript:${run('auto')}>`,
    `![" onerror="${run('words')}](image:abcdefghi1 "x\\" onload=${run('title')}")`,
    `![글](image:javascript:${run('name')})`,
    `[![글](image:abcdefghi2)](javascript:${run('around')})`,
  ]
  const id = await writeNotice(server, {
    title: '수상한 글',
    memo: [...strings, ...links].join('\n\n'),
    memoFormat: 'markdown',
    author: person,
  })
  await page.goto(`/notice/detail?noticeId=${id}`)
  await expect(memo(page)).toContainText('<script>alert(123)</script>')
  await expectHarmless(page, 'detail')
  for (const link of await memo(page).getByRole('link').all())
    expect(await link.getAttribute('href')).toMatch(/^https?:\/\//)
  await page.goto(`/notice/insert?noticeId=${id}`)
  await page.getByRole('button', { name: '미리보기' }).click()
  await expect(page.getByRole('region', { name: '미리보기' })).toContainText('<script>alert(123)</script>')
  await expectHarmless(page, 'preview')
  expect(asked).toEqual([])
})
