import { startSmtp } from '../../dev/test-kit/smtp.ts'
import { answer, toast } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import { signIn } from '../fixtures/page-pool.ts'
import { expect, test } from '../fixtures/test.ts'

test('saves the mail server by keyboard, proves it by a test mail, names what a variable fixes, and reports a portal that is complete with it (rules/settings#mail-server, rules/settings#guide)', async ({
  pageAt,
  expectAccessibleInEveryLook,
}) => {
  const smtp = await startSmtp()
  const maru = await startOwnMaru({ MAIL_FROM: '나라 <no-reply@nara.kr>' })
  try {
    const { port, username, password } = new URL(smtp.url)
    const person = await maru.createUser({ role: 'admin' })
    // Nothing but the mail server is missing in the guide.
    await maru.pool.query(
      `update settings set setup_state = 'later', company_name = '나라', portal_url = $1, profile_editors_decided = true,
      offices = '[{"name": "본사", "address": "서울", "phone": "", "fax": ""}]'`,
      [maru.url],
    )
    await maru.pool.query(
      `update codes set default_partner_id = (select min(id) from partners) where group_code = 'COMBEL001'`,
    )
    const page = await pageAt(maru.url)
    await page.goto('/login')
    await signIn(page, person)
    await page.goto('/setting/manage#mail')
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    const host = field('메일 서버 주소')
    const secret = page.getByLabel('메일 서버 비밀번호', { exact: true })
    const save = page.getByRole('button', { name: '메일 서버 저장', exact: true })
    await expect(host).toBeFocused()
    await expect(field('보내는 사람')).not.toBeEditable()
    await expect(field('보내는 사람')).toHaveAccessibleDescription(/MAIL_FROM/)

    await host.fill('mail server')
    await field('포트').fill('70000')
    await save.press('Enter')
    await expect(host).toBeFocused()
    await expect(field('포트')).toHaveAccessibleDescription(/1~65535/)
    await host.fill('localhost')
    await field('포트').fill(port)
    await field('메일 서버 사용자').fill(username)
    await save.press('Enter')
    await answer(page, /비밀번호를 다시 입력해야 합니다/, '확인')
    await expect(secret).toBeFocused()
    await secret.fill(decodeURIComponent(password))
    await save.press('Enter')
    await expect(page.getByRole('region', { name: /알려드립니다/ })).toContainText(
      '메일 서버를 저장했습니다.',
    )
    await expect(secret).toHaveValue('')
    await expect(secret).toHaveAccessibleDescription(/저장되어 있으며/)

    await page.getByRole('button', { name: '테스트 메일 발송' }).press('Enter')
    await expect(page.getByRole('status').filter({ hasText: person.email })).toContainText('받았습니다')
    // The toast does not cover the result.
    await expect(toast(page, '메일 서버를 저장했습니다.')).toHaveCount(0, { timeout: 1_000 })
    expect(await smtp.mailTo(person.email)).toMatchObject({ from: '나라 <no-reply@nara.kr>', user: username })
    await expectAccessibleInEveryLook(page)
    await setLook(page, '한국어')
    await page.goto('/setup')
    await expect(page.getByRole('heading', { name: '포털을 사용할 준비가 되었습니다.' })).toBeVisible()
    const next = page.getByRole('navigation', { name: '이어서 할 일' }).getByRole('link')
    await expect(next).toHaveText(['사용자 일괄 등록', '파트너 코드 정보 조회', '공지사항 등록'])
    await next.first().click()
    await expect(page).toHaveURL('/user/import')
    await page.goto('/setting/manage#mail')
    await expect(host).toHaveValue('localhost')
    await page.getByRole('button', { name: '테스트 메일 발송' }).press('Enter')
    await expect(page.getByText('받았습니다')).toBeVisible()
    // The usual port follows the security.
    await field('포트').fill('587')
    await page.getByRole('button', { name: /보안 연결/ }).press('Enter')
    await page.getByRole('option', { name: /^TLS/ }).click()
    await expect(field('포트')).toHaveValue('465')
    // The outcome was that of the former server.
    await host.fill('')
    await save.press('Enter')
    await expect(page.getByText('받았습니다')).toHaveCount(0)
  } finally {
    await maru.close()
    await smtp.close()
  }
})
