import { answer } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { documentWidth } from '../fixtures/width.ts'
import { memo, saveButton, titleField, writeNotice } from './steps.ts'

test('chooses the audience of a notice, whose title is bold until it is read (rules/notices#audience)', async ({
  as,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('user', { name: '공지작성자' })
  await page.goto('/notice/insert')
  const title = '부산지사 독자 안내'
  await titleField(page).fill(title)
  const list = page.getByRole('button', { name: /대상 소속$/ })
  await list.click()
  await page.getByRole('option', { name: '대전지사', exact: true }).click()
  const chosen = page.getByRole('list', { name: '대상 소속' })
  await expect(chosen.getByRole('button')).toHaveText(['대전지사'])
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  // Taken out again by keyboard, the focus goes back to the list.
  await chosen.getByRole('button', { name: '대전지사 빼기' }).press('Enter')
  await expect(list).toBeFocused()
  await list.press('Enter')
  await page.getByRole('option', { name: '부산지사', exact: true }).click()
  await expect(chosen.getByRole('button')).toHaveText(['부산지사'])
  await saveButton(page).click()
  await answer(page, '공지사항 등록', '네')
  await answer(page, '등록이 완료되었습니다.', '확인')
  await expect(page.getByText('대상: 부산지사')).toBeVisible()

  const { page: inside } = await as('user', { affiliation: 'BEL002' })
  await inside.goto('/notice/search')
  const row = inside.getByRole('row', { name: title })
  const link = row.getByRole('link', { name: `읽지 않음: 새글 대상 한정 ${title} 상세 보기` })
  await expect(link.locator('> span')).toHaveCSS('font-weight', '700')
  await expect(row.getByText('대상 한정')).toBeAttached()
  await link.click()
  // Not read before it is there.
  await expect(inside.getByRole('heading', { level: 1 })).toContainText(title)
  await inside.goBack()
  await expect(
    inside.getByRole('link', { name: `새글 대상 한정 ${title} 상세 보기`, exact: true }),
  ).toBeVisible()
})

test('lets readers react and comment, edit and delete, until the author disables it (rules/notices#comments)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page: owner, person } = await as('user', { name: '반응작성자' })
  const id = await writeNotice(server, { title: '반응 받는 글', author: person })
  const { page } = await as('user', { name: '반응독자' })
  await page.goto(`/notice/detail?noticeId=${id}`)
  const noted = page.getByRole('button', { name: '잘 읽었습니다' })
  await noted.click()
  await expect(noted).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('1명이 잘 읽었다고 표시했습니다.')).toBeVisible()

  const card = page.getByRole('region', { name: /^댓글/ })
  const text = card.getByLabel('댓글 쓰기')
  await expect(card.getByText('아직 댓글이 없습니다.')).toBeVisible()
  await card.getByRole('button', { name: '댓글 등록' }).click()
  await expect(text).toHaveAttribute('aria-invalid', 'true')
  await text.fill(
    '감사합니다.\n<b>확인했습니다</b> https://example.com/가? javascript:alert(1) https://a@b.example',
  )
  // A tab that is closed keeps what was typed.
  await expect(text).toHaveValue(/감사/)
  await page.reload()
  await page.getByRole('button', { name: '이어서 작성' }).click()
  await card.getByRole('button', { name: '댓글 등록' }).click()
  await expect(card.getByRole('heading')).toHaveText('댓글 (1)')
  await expect(text).toBeFocused()
  await expect(text).toHaveValue('')
  const list = card.getByRole('list', { name: '댓글 목록' })
  await expect(list).toContainText('<b>확인했습니다</b>')
  // Only the plain web address leads away, without the question mark that ends the sentence.
  const link = list.getByRole('paragraph').getByRole('link')
  await expect(link).toHaveText('https://example.com/가 (새 창에서 열림)')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expectAccessible(page)

  await list.getByRole('button', { name: '반응독자 댓글 수정' }).click()
  const dialog = page.getByRole('dialog', { name: '댓글 수정' })
  await dialog.getByLabel('댓글 쓰기').fill('고친 댓글')
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(list).toContainText('고친 댓글')
  await expect(list).toContainText('수정됨')

  await owner.goto(`/notice/detail?noticeId=${id}`)
  await expect(owner.getByText('고친 댓글')).toBeVisible()
  await expect(owner.getByRole('button', { name: /잘 읽었습니다|댓글 삭제/ })).toHaveCount(0)
  await list.getByRole('button', { name: '반응독자 댓글 삭제' }).click()
  await answer(page, '댓글 삭제', '네')
  await expect(card.getByText('아직 댓글이 없습니다.')).toBeVisible()
  await expect(card).toBeFocused()

  await owner.getByRole('link', { name: '수정', exact: true }).click()
  await owner.getByLabel('댓글 받기').uncheck()
  await owner.getByLabel('“잘 읽었습니다” 받기').uncheck()
  await saveButton(owner).click()
  await answer(owner, '공지사항 수정', '네')
  await answer(owner, '수정이 완료되었습니다.', '확인')
  await expect(memo(owner)).toBeVisible()
  await expect(owner.getByRole('region', { name: /^댓글/ })).toHaveCount(0)
  await expect(owner.getByRole('alertdialog')).toHaveCount(0)
  await page.reload()
  await expect(memo(page)).toBeVisible()
  await expect(noted).toHaveCount(0)
})

test('answers a comment by keyboard, asks before a typed reply is lost, and shows deleted comments (rules/notices#replies)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page: owner, person } = await as('user', { name: '답글작성자' })
  const noticeId = await writeNotice(server, { title: '답글 받는 글', author: person })
  const { page } = await as('user', { name: '답글독자' })
  await page.goto(`/notice/detail?noticeId=${noticeId}`)
  const card = page.getByRole('region', { name: /^댓글/ })
  await card.getByLabel('댓글 쓰기').fill('물음')
  await card.getByRole('button', { name: '댓글 등록' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)

  await owner.goto(`/notice/detail?noticeId=${noticeId}`)
  const opener = owner.getByRole('button', { name: '답글독자 댓글에 답글 쓰기' })
  await opener.press('Enter')
  const field = owner.getByLabel('답글독자 님에게 답글 쓰기')
  await expect(field).toBeFocused()
  await owner.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(opener).toBeFocused()
  await owner.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await owner.keyboard.type('대답')
  await expect(field).toHaveValue('대답')
  await owner.keyboard.press('Escape')
  await answer(owner, '저장하지 않은 내용', '아니오')
  await expect(field).toHaveValue('대답')
  // A failed send keeps the text.
  const allow = (allowComments: boolean) =>
    server.db.updateTable('notices').set({ allowComments }).where('id', '=', noticeId).execute()
  await allow(false)
  await owner.getByRole('button', { name: '답글 등록' }).click()
  await expect(owner.getByRole('alertdialog')).toBeVisible()
  await owner.keyboard.press('Enter')
  await expect(field).toHaveValue('대답')
  await allow(true)
  await owner.getByRole('button', { name: '답글 등록' }).click()
  await expect(owner.getByText('답글이 등록되었습니다.').last()).toBeVisible()
  await expect(opener).toBeFocused()
  await expect(owner.getByRole('listitem').filter({ hasText: '대답' })).toContainText('답글독자 님에게')

  await page.reload()
  await card.getByRole('button', { name: '답글독자 댓글 삭제' }).click()
  await answer(page, '댓글 삭제', '네')
  await expect(card.getByRole('listitem')).toHaveText(['삭제된 댓글입니다', /대답/])
  await expect(card).not.toContainText('물음')
  await expectAccessibleInEveryLook(page)
  await page.setViewportSize({ width: 390, height: 900 })
  expect(await documentWidth(page)).toBeLessThanOrEqual(390)
})

test('previews an image before saving and hides a file that only claims to be one (rules/files#preview)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user', { name: '사진작성자' })
  const id = await writeNotice(server, { title: '사진이 있는 글', author: person })
  await page.goto(`/notice/insert?noticeId=${id}`)
  await page
    .locator('fieldset input[type=file]')
    .setInputFiles({ name: '사진.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
  await saveButton(page).click()
  await answer(page, '공지사항 수정', '네')
  await answer(page, '수정이 완료되었습니다.', '확인')
  const preview = page.getByRole('button', { name: '사진.png 미리보기' })
  await preview.press('Enter')
  const dialog = page.getByRole('dialog', { name: '사진.png' })
  const image = dialog.getByRole('img', { name: '사진.png' })
  await expect(image).toBeVisible()
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '내려받기' }).click()
  expect((await saved).suggestedFilename()).toBe('사진.png')
  await page.keyboard.press('Escape')
  await expect(preview).toBeFocused()

  await server.pool.query(`update notice_files set original_name = '사진.jpg' where notice_id = $1`, [id])
  await page.reload()
  await page.getByRole('button', { name: '사진.jpg 미리보기' }).click()
  await expect(page.getByText('이 파일은 미리 볼 수 없습니다.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '닫기' }).click()
})

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
