import { startSmtp } from '../../dev/test-kit/smtp.ts'
import { readMail } from '../fixtures/mail.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import {
  certify,
  checkId,
  confirmAlert,
  emailField,
  fillSignUp,
  findUser,
  idField,
  passwordField,
  sendCode,
  somebodyNew,
  submit,
} from '../fixtures/self-service.ts'
import { expect, test } from '../fixtures/test.ts'

/** The three flows over a real SMTP server that wants STARTTLS and a password. */
test('completes sign-up, find ID and reset password with mails sent by SMTP', async ({ page }) => {
  const smtp = await startSmtp()
  const maru = await startOwnMaru({ SMTP_URL: smtp.url, MAIL_FROM: '마루 <no-reply@maru.test>' })
  try {
    const person = somebodyNew()
    let read = 0
    const nextMail = async () => {
      const mail = await smtp.mailTo(person.email, read)
      read = smtp.mails.length
      expect(mail.isEncrypted).toBe(true)
      expect(mail.from).toBe('마루 <no-reply@maru.test>')
      return readMail(mail.source)
    }

    await page.goto(`${maru.url}/signup`)
    await fillSignUp(page, person)
    await checkId(page)
    await certify(page)
    await sendCode(page, (await nextMail()).code)
    await confirmAlert(page, '승인 요청이 완료되었습니다.')
    expect(await findUser(maru, person.userId)).toMatchObject({ approvalCode: 'MEMAP002' })
    await maru.db
      .updateTable('users')
      .set({ approvalCode: 'MEMAP001' })
      .where('loginId', '=', person.userId)
      .execute()

    await page.goto(`${maru.url}/find/id`)
    await emailField(page).fill(person.email)
    await certify(page)
    await sendCode(page, (await nextMail()).code)
    await confirmAlert(page, `회원님의 아이디는 ${person.userId}입니다.`)

    await page.goto(`${maru.url}/reset/pw`)
    await idField(page).fill(person.userId)
    await emailField(page).fill(person.email)
    await certify(page)
    await sendCode(page, (await nextMail()).code)
    await confirmAlert(page, '임시 비밀번호를 이메일로 보냈습니다.')
    const temporary = (await nextMail()).code
    await idField(page).fill(person.userId)
    await passwordField(page).fill(temporary)
    await submit(page).click()
    await expect(page).toHaveURL(`${maru.url}/password`)
  } finally {
    await maru.close()
    await smtp.close()
  }
})

test('reports an unavailable mail server, keeps the input and works once it is back', async ({ page }) => {
  const smtp = await startSmtp()
  const maru = await startOwnMaru({ SMTP_URL: smtp.url })
  try {
    const { email, userId } = await maru.createUser()
    await smtp.down()
    await page.goto(`${maru.url}/find/id`)
    await emailField(page).fill(email)
    // The first is still taken; once its mail could not be sent, a code would not arrive in time.
    await certify(page)
    const queued = () => maru.db.selectFrom('mails').select('lastError').execute()
    await expect.poll(queued).toEqual([{ lastError: expect.any(String) }])
    const resend = page.getByRole('button', { name: '다시 받기' })
    await resend.click()
    await confirmAlert(page, '지금은 메일을 보낼 수 없습니다.')
    await expect(emailField(page)).toHaveValue(email)

    // The queued mail arrives first, with a code that the next one replaces.
    await smtp.up()
    await smtp.mailTo(email)
    await expect.poll(queued).toEqual([])
    await maru.db.deleteFrom('rateLimits').execute()
    await resend.click()
    const { source } = await smtp.mailTo(email, 1)
    await sendCode(page, (await readMail(source)).code)
    await confirmAlert(page, `회원님의 아이디는 ${userId}입니다.`)
  } finally {
    await maru.close()
    await smtp.close()
  }
})
