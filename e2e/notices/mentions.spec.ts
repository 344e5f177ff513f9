import { expect, test } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { documentWidth } from '../fixtures/width.ts'
import { writeNotice } from './steps.ts'

test('mentions people by keyboard alone, and leads the mentioned user to the comment (rules/notices#mentions)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { person: author } = await as('user', { name: '언급작성자' })
  const noticeId = await writeNotice(server, { title: '언급하는 글', author })
  const { page: told } = await as('user', { name: '언급될하나' })
  await as('user', { name: '언급될둘' })
  const { page } = await as('user', { name: '언급독자' })
  await page.goto(`/notice/detail?noticeId=${noticeId}`)
  const card = page.getByRole('region', { name: /^댓글/ })
  const field = card.getByLabel('댓글 쓰기')
  const list = card.getByRole('listbox', { name: '언급할 사람' })
  await field.focus()
  await page.keyboard.type('a@b ')
  await expect(list).toBeHidden()
  // Without a name: who takes part in the discussion.
  await page.keyboard.type('@')
  await expect(list.getByRole('option')).toHaveText([/^언급작성자/])
  await page.keyboard.type('언급될')
  await expect(list.getByRole('option')).toHaveText([/^언급될둘/, /^언급될하나/])
  await expectAccessible(page)
  const active = list.getByRole('option', { selected: true })
  await expect(active).toHaveText(/^언급될둘/)
  await page.keyboard.press('ArrowDown')
  await expect(active).toHaveText(/^언급될하나/)
  await expect(field).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '')
  await page.keyboard.press('ArrowDown')
  await expect(active).toHaveText(/^언급될둘/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('a@b @언급될하나 ')
  await expect(list).toBeHidden()
  // Closed with Escape, the list stays closed for this name.
  await page.keyboard.type('@언급')
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await page.keyboard.type('될')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('a@b @언급될하나 @언급될\n')
  // A draft keeps the selected people.
  await page.reload()
  await page.getByRole('button', { name: '이어서 작성' }).click()
  await card.getByRole('button', { name: '댓글 등록' }).press('Enter')
  const comment = card.getByRole('listitem')
  await expect(comment.getByText('@언급될하나', { exact: true })).toHaveCSS('font-weight', '600')
  await expect(comment.getByText('@언급될', { exact: true })).toHaveCount(0)
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')

  await told.goto('/notification/search')
  await told.getByRole('link', { name: /언급독자 님이 댓글에서 나를 언급했습니다/ }).click()
  await expect(told.getByText('@언급될하나', { exact: true })).toBeVisible()
})

test('mentions people in a reply and in an edit, with the mouse on a narrow screen', async ({
  as,
  server,
}) => {
  const { person: author } = await as('user', { name: '멘션작성자' })
  const noticeId = await writeNotice(server, { title: '답글에서 언급하는 글', author })
  await as('user', { name: '멘션하나' })
  await as('user', { name: '멘션둘째' })
  const { page } = await as('user', { name: '멘션독자' })
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto(`/notice/detail?noticeId=${noticeId}`)
  const card = page.getByRole('region', { name: /^댓글/ })
  await card.getByLabel('댓글 쓰기').fill('물음')
  await card.getByRole('button', { name: '댓글 등록' }).click()
  await card.getByRole('button', { name: '멘션독자 댓글에 답글 쓰기' }).click()
  const reply = card.getByLabel('멘션독자 님에게 답글 쓰기')
  await reply.pressSequentially('@멘션하')
  await expect(card.getByRole('option')).toHaveCount(1)
  expect(await documentWidth(page)).toBeLessThanOrEqual(390)
  // Escape closes the list only.
  await reply.press('Escape')
  await expect(card.getByRole('option')).toHaveCount(0)
  await expect(reply).toBeVisible()
  await reply.pressSequentially(' @멘션하')
  await card.getByRole('option', { name: /^멘션하나/ }).click()
  await expect(reply).toBeFocused()
  await expect(reply).toHaveValue('@멘션하 @멘션하나 ')
  await card.getByRole('button', { name: '답글 등록' }).click()
  const item = card.getByRole('listitem').filter({ hasText: '@멘션하나' })
  await item.getByRole('button', { name: '멘션독자 댓글 수정' }).click()
  const dialog = page.getByRole('dialog', { name: '댓글 수정' })
  const text = dialog.getByLabel('댓글 쓰기')
  await text.fill('@멘션하나 @멘션둘')
  await expect(dialog.getByRole('option')).toHaveText([/^멘션둘째/])
  await text.press('Escape')
  await expect(dialog.getByRole('option')).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await text.fill('@멘션하나 그리고 @멘션둘')
  await dialog.getByRole('option').click()
  await dialog.getByRole('button', { name: '저장' }).click()
  await expect(dialog).toBeHidden()
  for (const name of ['@멘션하나', '@멘션둘째'])
    await expect(item.getByText(name, { exact: true })).toHaveCSS('font-weight', '600')
})
