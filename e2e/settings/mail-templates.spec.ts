import { closeToast } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { tabTo } from '../fixtures/keyboard.ts'
import { outboxOf } from '../fixtures/mail.ts'
import { expect, test } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'

test.beforeEach(({ server }) => server.pool.query('truncate mail_templates, rate_limits'))
test.afterEach(({ server }) => server.pool.query('truncate mail_templates'))

test('edits, previews, tries and restores a mail text by keyboard (rules/settings#mail-templates, rules/settings#mail-placeholders)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page, person } = await as('admin')
  await page.goto('/setting/mail')
  const opener = page.getByRole('button', { name: '‘비밀번호 재설정 인증번호’ 편집, 한국어' })
  await opener.waitFor()
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const subject = dialog.getByRole('textbox', { name: '메일 제목' })
  const text = dialog.getByRole('textbox', { name: '메일 내용' })
  const preview = dialog.getByRole('region', { name: '미리 보기' })
  const button = (name: string) => dialog.getByRole('button', { name, exact: true })
  await expect(subject).toBeFocused()
  await expect(subject).toHaveValue('[{company}] 비밀번호 재설정 인증번호')
  await expect(preview).toContainText('000000')

  await tabTo(page, text)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText('총무팀입니다.\nhttp://evil.kr\n{code}')
  await tabTo(page, button('저장'))
  await page.keyboard.press('Enter')
  await expect(text).toBeFocused()
  await expect(text).toHaveAccessibleDescription(/주소는 사용할 수 없습니다: http:\/\/evil\.kr/)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText('총무팀입니다.\n{code}\n{link}')
  await expect(preview).toContainText('총무팀입니다.')
  await tabTo(page, button('나에게 보내기'))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toContainText('.eml')
  await expect
    .poll(async () => (await outboxOf(server, person.email)).at(-1)?.text)
    .toBe('총무팀입니다.\n\n000000\n\n바로가기: https://portal.example/sample')
  await tabTo(page, button('저장'))
  await page.keyboard.press('Enter')
  await closeToast(page, '메일 문구를 저장했습니다.')
  await expect(page.getByText('수정함', { exact: true })).toHaveCount(1)
  await expectAccessibleInEveryLook(page)
  await setLook(page, '한국어')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await documentWidth(page)).toBeLessThanOrEqual(390)

  await opener.press('Enter')
  await expect(text).toHaveValue('총무팀입니다.\n{code}\n{link}')
  await expectAccessible(page)
  await button('기본 문구로').press('Enter')
  await expect(preview).toContainText('5분 안에 입력해주세요.')
  await button('저장').press('Enter')
  await closeToast(page, '메일 문구를 저장했습니다.')
  await expect(page.getByText('수정함', { exact: true })).toHaveCount(0)

  // A text that no longer meets the rules is not sent.
  await server.pool.query(`insert into mail_templates (kind, language, subject, text, changed_by)
    select 'signUpCode', 'ko', '', '코드 없음', min(id) from users`)
  await page.reload()
  await expect(page.getByText('확인 필요', { exact: true })).toHaveCount(1)
  await page.getByRole('button', { name: '‘회원가입 인증번호’ 편집, 한국어' }).click()
  await expect(dialog).toContainText('기본 문구로 발송하고 있습니다')
})
