import { startSmtp } from '../../server/test-kit/smtp.ts'
import { readMail } from '../fixtures/mail.ts'
import { startOwnMaru } from '../fixtures/own-maru.ts'
import {
  certify,
  checkId,
  codeField,
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
test('sign-up, find ID and reset password work with mails sent by SMTP', async ({ page }) => {
  test.setTimeout(120_000)
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
    expect(await findUser(maru, person.userId)).toMatchObject({ approval_code: 'MEMAP002' })
    await maru.db
      .updateTable('users')
      .set({ approval_code: 'MEMAP001' })
      .where('login_id', '=', person.userId)
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

test('a mail server that is away is pointed out, loses nothing typed and works once it is back', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const smtp = await startSmtp()
  const maru = await startOwnMaru({ SMTP_URL: smtp.url })
  try {
    const { email, userId } = await maru.createUser()
    await smtp.down()
    await page.goto(`${maru.url}/find/id`)
    await emailField(page).fill(email)
    // The first may still be taken; once it could not be sent, a code would not arrive in time.
    const told = page.getByRole('alertdialog', { name: '지금은 메일을 보낼 수 없습니다.' })
    await expect(async () => {
      if (await codeField(page).isVisible()) await page.getByRole('button', { name: '다시 받기' }).click()
      else await submit(page).click()
      await expect(told).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: 20_000 })
    await told.getByRole('button').click()
    await expect(emailField(page)).toHaveValue(email)

    await smtp.up()
    await maru.db.deleteFrom('rate_limits').execute()
    await expect(async () => {
      if (await told.isVisible()) await told.getByRole('button').click()
      if (await codeField(page).isVisible()) await page.getByRole('button', { name: '다시 받기' }).click()
      else await submit(page).click()
      await expect(codeField(page)).toBeFocused({ timeout: 2000 })
    }).toPass({ timeout: 30_000 })
    // A mail of the first try may come late, with a code that the second has replaced.
    const tried = new Set<string>()
    const found = page.getByRole('alertdialog', { name: `회원님의 아이디는 ${userId}입니다.` })
    await expect(async () => {
      for (const mail of smtp.mails) {
        const { code } = await readMail(mail.source)
        if (tried.has(code)) continue
        tried.add(code)
        await sendCode(page, code)
        await page.getByRole('alertdialog').waitFor()
        if (!(await found.isVisible())) await page.getByRole('alertdialog').getByRole('button').click()
      }
      await expect(found).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 30_000 })
  } finally {
    await maru.close()
    await smtp.close()
  }
})
