import type { Page } from '@playwright/test'
import { mailTo, outboxOf } from '../fixtures/mail.ts'
import {
  certify,
  codeField,
  confirmAlert,
  countdown,
  emailField,
  idField,
  otherThan,
  passwordField,
  sendCode,
  submit,
} from '../fixtures/self-service.ts'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'

const WRONG = '인증번호가 올바르지 않습니다. 다시 확인해주세요.'
const EXPIRED = '인증 시간이 만료되었습니다. 다시 인증해주세요.'
// The tests' server has no mail server.
const SENT = '메일 서버가 설정되지 않아 임시 비밀번호 메일을 보내지 않고 서버의 파일로 저장했습니다.'

const resend = (page: Page) => page.getByRole('button', { name: '다시 받기' })

/** The words of a form, whatever its countdown says. */
const masked = (text: string) => text.replace(/\d:\d\d/, 'm:ss')

async function startFindId(page: Page, email: string): Promise<void> {
  await page.goto('/find/id')
  await emailField(page).fill(email)
  await certify(page)
}

test.beforeEach(async ({ server }) => {
  await server.db.deleteFrom('rateLimits').execute()
})

test.describe('find ID (rules/account#find-id)', () => {
  test('leads from an empty form to the ID and then to /', async ({ page, server }) => {
    const { userId, email } = await server.createUser()
    await page.goto('/find/id')
    await expect(page).toHaveTitle('아이디 찾기 | 마루')
    await expect(emailField(page)).toBeFocused()
    await submit(page).click()
    await expect(emailField(page)).toHaveAccessibleDescription('필수 입력 항목입니다.')
    await emailField(page).fill(` ${email.toUpperCase()}`)
    await certify(page)
    await expect(emailField(page)).not.toBeEditable()
    await submit(page).click()
    await expect(codeField(page)).toHaveAccessibleDescription('필수 입력 항목입니다.')
    const { code } = await mailTo(server, email)
    // As it may come out of a mail program.
    await sendCode(page, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    await confirmAlert(page, `회원님의 아이디는 ${userId}입니다.`)
    await expect(page).toHaveURL('/')
    await expect(idField(page)).toHaveValue(userId)
    await expect(passwordField(page)).toBeFocused()
    await page.getByRole('paragraph').getByRole('link', { name: '비밀번호 재설정' }).click()
    await expect(page).toHaveURL('/reset/pw')
    await expect(idField(page)).toHaveValue(userId)
  })

  test('looks the same for an unknown e-mail, which gets no mail (rules/account#account-enumeration)', async ({
    page,
    server,
  }) => {
    const nobody = 'nobody.here@example.com'
    await startFindId(page, nobody)
    const words = await page.locator('form').innerText()
    expect(await outboxOf(server, nobody)).toEqual([])
    await sendCode(page, '123456')
    await confirmAlert(page, WRONG)

    const { email } = await server.createUser()
    await page.getByRole('button', { name: '다시 입력' }).click()
    await startFindId(page, email)
    expect(masked(await page.locator('form').innerText())).toBe(masked(words))
  })
})

test.describe('reset password (rules/account#reset-password)', () => {
  test('mails a temporary password that opens /password to be changed', async ({ page, server }) => {
    const { userId, email } = await server.createUser()
    await page.goto('/reset/pw')
    await expect(page).toHaveTitle('비밀번호 재설정 | 마루')
    await idField(page).fill(userId)
    await emailField(page).fill(email)
    await certify(page)
    await expect(idField(page)).not.toBeEditable()
    await sendCode(page, (await mailTo(server, email)).code)
    await confirmAlert(page, SENT)
    await expect(page).toHaveURL('/')

    const temporary = (await mailTo(server, email, 2)).code
    await idField(page).fill(userId)
    await passwordField(page).fill(temporary)
    await submit(page).click()
    await expect(page).toHaveURL('/password')
  })
})

test.describe('the certification screen (rules/account#certification-screen)', () => {
  test('counts down as m:ss, ends at 0 with its message and keeps what was typed', async ({
    page,
    server,
  }) => {
    const { email } = await server.createUser()
    await page.clock.install()
    await startFindId(page, email)
    await expect(countdown(page)).toHaveText(/^(5:00|4:\d\d)$/)
    await page.clock.fastForward('03:58')
    await expect(countdown(page)).toHaveText(/^1:0[0-2]$|^0:[2-5]\d$/)
    await page.clock.fastForward('00:04')
    await expect(page.locator('output').filter({ hasText: '인증 시간이 60초 남았습니다.' })).toHaveCount(1)
    await codeField(page).fill('12')
    await page.clock.fastForward('01:00')
    await confirmAlert(page, EXPIRED)
    await expect(codeField(page)).toHaveCount(0)
    await expect(submit(page)).toHaveText('인증하기')
    await expect(emailField(page)).toBeFocused()
    await expect(emailField(page)).toBeEditable()
    await expect(emailField(page)).toHaveValue(email)

    await certify(page)
    await expect(codeField(page)).toHaveValue('')
    await sendCode(page, (await mailTo(server, email, 2)).code)
    await expect(page.getByRole('alertdialog', { name: '회원님의 아이디는' })).toBeVisible()
  })

  test('says in a tab that slept past the end that the time is over, even after a reload', async ({
    page,
    server,
  }) => {
    const { email } = await server.createUser()
    await page.clock.install()
    await startFindId(page, email)
    await page.clock.fastForward('02:00:00')
    await confirmAlert(page, EXPIRED)

    await certify(page)
    await page.goto('/login')
    await page.clock.fastForward('05:01')
    await page.goto('/find/id')
    await confirmAlert(page, EXPIRED)
    await expect(emailField(page)).toHaveValue(email)
    await expect(emailField(page)).toBeEditable()
  })

  test('shows a wrong code at its field and accepts a new code after five attempts', async ({
    page,
    server,
  }) => {
    const { email } = await server.createUser()
    await startFindId(page, email)
    const { code } = await mailTo(server, email)
    for (let tries = 1; tries <= 4; tries += 1) {
      await codeField(page).fill(otherThan(code))
      await page.keyboard.press('Enter')
      await confirmAlert(page, WRONG)
      await expect(codeField(page)).toHaveAccessibleDescription(WRONG)
      await expect(codeField(page)).toBeFocused()
      await expect(emailField(page)).toHaveValue(email)
    }
    await sendCode(page, otherThan(code))
    await confirmAlert(page, WRONG)
    await expect(codeField(page)).toHaveAccessibleDescription(/5회 잘못 입력하여/)
    await sendCode(page, code)
    await confirmAlert(page, WRONG)

    await resend(page).click()
    await expect(codeField(page)).toHaveValue('')
    await expect(codeField(page)).toBeFocused()
    await sendCode(page, (await mailTo(server, email, 2)).code)
    await expect(page.getByRole('alertdialog', { name: '회원님의 아이디는' })).toBeVisible()
  })

  test('restarts the 300 seconds with another code, which replaces the first', async ({ page, server }) => {
    const { email } = await server.createUser()
    await page.clock.install()
    await startFindId(page, email)
    const first = await mailTo(server, email)
    await page.clock.fastForward('02:00')
    await expect(countdown(page)).toHaveText(/^[23]:\d\d$/)
    await resend(page).click()
    const second = await mailTo(server, email, 2)
    await expect(countdown(page)).toHaveText(/^(5:00|4:\d\d)$/)
    await expect(
      page.locator('output').filter({ hasText: '이전 인증번호는 사용할 수 없습니다.' }),
    ).toHaveCount(1)
    if (first.code !== second.code) {
      await sendCode(page, first.code)
      await confirmAlert(page, WRONG)
    }
    await sendCode(page, second.code)
    await expect(page.getByRole('alertdialog', { name: '회원님의 아이디는' })).toBeVisible()
  })

  test('says when to try again after too many codes, while the live code still works', async ({
    page,
    server,
  }) => {
    const { email } = await server.createUser()
    await startFindId(page, email)
    for (let sent = 2; sent <= 5; sent += 1) {
      await resend(page).click()
      await mailTo(server, email, sent)
      await expect(codeField(page)).toBeFocused()
    }
    await resend(page).click()
    const alert = page.getByRole('alertdialog', { name: '요청이 너무 많습니다.' })
    await expect(alert).toContainText(/약 \d+분 후에 다시 시도할 수 있습니다\.|\d+초 후에/)
    await alert.getByRole('button').click()
    await sendCode(page, (await mailTo(server, email, 5)).code)
    await expect(page.getByRole('alertdialog', { name: '회원님의 아이디는' })).toBeVisible()
  })

  test('lets the e-mail be changed while a code is out', async ({ page, server }) => {
    const { email, userId } = await server.createUser()
    await startFindId(page, `typo.${email}`)
    await page.getByRole('button', { name: '다시 입력' }).click()
    await expect(codeField(page)).toHaveCount(0)
    await expect(emailField(page)).toBeFocused()
    await emailField(page).fill(email)
    await certify(page)
    await sendCode(page, (await mailTo(server, email)).code)
    await confirmAlert(page, `회원님의 아이디는 ${userId}입니다.`)
  })

  test('goes on after a reload and in a second tab', async ({ page, server }) => {
    const { email, userId } = await server.createUser()
    await startFindId(page, email)
    await page.reload()
    await expect(codeField(page)).toBeFocused()
    await expect(emailField(page)).toHaveValue(email)

    const other = await page.context().newPage()
    await startFindId(other, email)
    const { code } = await mailTo(server, email, 2)
    // The newest code counts, whichever tab it is typed into.
    await sendCode(page, code)
    await confirmAlert(page, `회원님의 아이디는 ${userId}입니다.`)
    await expect(page).toHaveURL('/')
    await sendCode(other, code)
    await confirmAlert(other, WRONG)
    await resend(other).click()
    await sendCode(other, (await mailTo(server, email, 3)).code)
    await confirmAlert(other, `회원님의 아이디는 ${userId}입니다.`)
  })

  test('says that the server is away and loses nothing typed', async ({ page, fragile, server }) => {
    const { email, userId } = await server.createUser()
    await page.goto(`${fragile.url}/find/id`)
    await emailField(page).fill(email)
    // The dialogs come with the first key, as they do to a person who types.
    const dialogs = ['/dialog-', '/aria-'].map(async (file) => {
      const response = await page.waitForResponse((one) => one.url().includes(file))
      await response.finished()
    })
    await emailField(page).press('End')
    await Promise.all(dialogs)
    await waitUntilSettled(page)
    await fragile.stopServer()
    await submit(page).click()
    await confirmAlert(page, '서버에 연결할 수 없습니다.')
    await expect(emailField(page)).toHaveValue(email)
    await fragile.startServer()
    await certify(page)
    const { code } = await mailTo(server, email)
    await waitUntilSettled(page)
    await fragile.stopServer()
    await sendCode(page, code)
    await confirmAlert(page, '서버에 연결할 수 없습니다.')
    await expect(codeField(page)).toHaveValue(code)
    await fragile.startServer()
    await submit(page).click()
    await confirmAlert(page, `회원님의 아이디는 ${userId}입니다.`)
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  })
})
