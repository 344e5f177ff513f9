import { mailTo, outboxOf } from '../fixtures/mail.ts'
import {
  certify,
  checkId,
  codeField,
  confirmAlert,
  countdown,
  emailField,
  fillSignUp,
  idField,
  passwordAgain,
  passwordField,
  sendCode,
  somebodyNew,
  submit,
} from '../fixtures/self-service.ts'
import { koreanWords } from '../fixtures/korean-text.ts'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { documentWidth } from '../fixtures/width.ts'

const DONE = '승인 요청이 완료되었습니다. 관리자의 승인 후 로그인해주세요.'

test.beforeEach(async ({ server, page }) => {
  await server.db.deleteFrom('rateLimits').execute()
  await page.goto('/signup')
})

test('signs up by keyboard only, from an empty form to a request that waits for approval (rules/account#sign-up)', async ({
  page,
  server,
}) => {
  const person = somebodyNew()
  const keyboard = page.keyboard
  await expect(page).toHaveTitle('회원가입 | 마루')
  await expect(submit(page)).toHaveText('인증하기')
  await expect(page.getByRole('link', { name: '로그인으로 돌아가기' })).toHaveAttribute('href', '/login')
  await expect(idField(page)).toBeFocused()
  await keyboard.type(person.userId)
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(page.getByText('사용할 수 있는 아이디입니다.')).toBeVisible()
  await expect(idField(page)).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.type(person.password)
  // Past the eye.
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type(person.password)
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('ArrowDown')
  await expect(page.locator('[role=option]:focus')).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  for (const text of ['대리', '김새봄', person.phoneNumber, person.email]) {
    await keyboard.press('Tab')
    await keyboard.type(text)
  }
  await keyboard.press('Enter')
  await expect(codeField(page)).toBeFocused()
  await expect(countdown(page)).toHaveText(/^(5:00|4:\d\d)$/)
  await expect(submit(page)).toHaveText('승인 요청')
  for (const label of ['아이디', '비밀번호', '비밀번호 확인', '직급', '이름', '전화번호', '이메일']) {
    await expect(page.getByLabel(label, { exact: true })).not.toBeEditable()
  }
  await expect(page.getByRole('button', { name: /소속/ })).toBeDisabled()
  const mail = await mailTo(server, person.email)
  expect(mail.subject).toContain('회원가입 인증번호')
  await keyboard.type(mail.code)
  await keyboard.press('Enter')
  await expect(page.getByRole('alertdialog', { name: DONE })).toBeVisible()
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await idField(page).fill(person.userId)
  await passwordField(page).fill(person.password)
  await submit(page).click()
  await confirmAlert(page, '아직 승인되지 않은 계정입니다. 관리자의 승인 후 로그인해주세요.')
})

test.describe('the ID check (rules/account#id-check)', () => {
  test('sends nothing for an empty ID and is required by the form before it can be sent', async ({
    page,
    server,
  }) => {
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: '중복확인' }).click()
    await expect(idField(page)).toHaveAccessibleDescription('필수 입력 항목입니다.')
    expect(calls.filter((path) => path.includes('check/id'))).toEqual([])

    const person = somebodyNew()
    // A check that fails does not count.
    await page.route('**/check/id', (route) => route.abort())
    await fillSignUp(page, person)
    await submit(page).click()
    await expect(idField(page)).toHaveAccessibleDescription('아이디 중복확인을 해주세요.')
    await expect(idField(page)).toBeFocused()
    await expect(codeField(page)).toHaveCount(0)
    expect(calls.filter((path) => path.includes('certify'))).toEqual([])
    expect(await outboxOf(server, person.email)).toEqual([])
  })

  test('counts a check on leaving the field, also one that runs during the submit', async ({
    page,
    server,
  }) => {
    const person = somebodyNew()
    await fillSignUp(page, person)
    await expect(page.getByText('사용할 수 있는 아이디입니다.')).toBeVisible()
    await expect(page.getByRole('button', { name: '확인', exact: true })).toBeDisabled()
    await idField(page).fill((await server.createUser()).userId)
    await submit(page).click()
    await expect(idField(page)).toHaveAccessibleDescription('이미 사용 중인 아이디입니다.')
    await expect(idField(page)).toBeFocused()
    await expect(codeField(page)).toHaveCount(0)
    await idField(page).fill(somebodyNew().userId)
    await certify(page)
  })

  test('points out a taken ID and becomes void with an edit', async ({ page, server }) => {
    const { userId } = await server.createUser()
    await idField(page).fill(userId.toUpperCase())
    await page.getByRole('button', { name: '중복확인' }).click()
    await confirmAlert(page, '이미 사용 중인 아이디입니다.')
    await expect(idField(page)).toHaveAccessibleDescription('이미 사용 중인 아이디입니다.')
    await expect(idField(page)).toBeFocused()

    await idField(page).fill(somebodyNew().userId)
    await checkId(page)
    await idField(page).press('x')
    await expect(page.getByRole('button', { name: '중복확인' })).toBeEnabled()
    await expect(page.getByText('사용할 수 있는 아이디입니다.')).toHaveCount(0)
  })

  test('asks again and keeps the form if the ID is taken in the meantime', async ({ page, server }) => {
    const person = somebodyNew()
    await fillSignUp(page, person)
    await checkId(page)
    await certify(page)
    await server.createUser({ loginId: person.userId, email: `other.${person.email}` })
    await sendCode(page, (await mailTo(server, person.email)).code)
    await confirmAlert(page, '이미 사용 중인 아이디입니다.')
    await expect(idField(page)).toBeFocused()
    await expect(idField(page)).toBeEditable()
    await expect(passwordField(page)).toHaveValue(person.password)
    await expect(page.getByRole('button', { name: '중복확인' })).toBeEnabled()
    await expect(submit(page)).toHaveText('인증하기')
  })
})

test('shows errors at their fields before anything is sent (rules/account#password-confirmation)', async ({
  page,
}) => {
  const person = somebodyNew()
  await submit(page).click()
  await expect(page.getByText('필수 입력 항목입니다.')).toHaveCount(8)
  await fillSignUp(page, { ...person, phoneNumber: '0101234567', email: 'no-mail' })
  await passwordField(page).fill('short')
  await passwordAgain(page).fill('other')
  await passwordAgain(page).press('Tab')
  await expect(passwordField(page)).toHaveAccessibleDescription('비밀번호는 8자 이상 입력해주세요.')
  await expect(passwordAgain(page)).toHaveAccessibleDescription('비밀번호가 다릅니다. 다시 확인해주세요.')
  await expect(page.getByLabel('전화번호')).toHaveAccessibleDescription(
    '전화번호는 11자리의 숫자만 적어주세요.',
  )
  await expect(emailField(page)).toHaveAccessibleDescription('이메일 주소 형식이 올바르지 않습니다.')
  await expect(emailField(page)).toHaveAttribute('type', 'email')
  const rule = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await expect(rule('8자 이상 128자 이하')).toContainText('(미충족)')
  await passwordField(page).fill(person.password)
  await passwordAgain(page).fill(person.password)
  await expect(rule('8자 이상 128자 이하')).toContainText('(충족)')
  await expect(rule('비밀번호와 비밀번호 확인이 일치')).toContainText('(충족)')
  await expect(passwordAgain(page)).toHaveAccessibleDescription('')
})

test('corrects a password that only the server can refuse, with the same code', async ({ page, server }) => {
  const person = somebodyNew()
  await fillSignUp(page, { ...person, password: 'Password2026!' })
  await checkId(page)
  await certify(page)
  const { code } = await mailTo(server, person.email)
  const refusals = [
    ['너무 흔한 비밀번호입니다. 다른 비밀번호를 입력해주세요.', `${person.userId}-Xy7!`],
    ['비밀번호에 아이디, 전화번호, 이메일을 포함할 수 없습니다.', person.password],
  ] as const
  for (const [message, better] of refusals) {
    await sendCode(page, code)
    await confirmAlert(page, message)
    await expect(passwordField(page)).toHaveAccessibleDescription(message)
    await expect(passwordField(page)).toBeFocused()
    await expect(codeField(page)).toHaveValue(code)
    await expect(idField(page)).not.toBeEditable()
    await passwordField(page).fill(better)
    await passwordAgain(page).fill(better)
  }
  await sendCode(page, code)
  await confirmAlert(page, DONE)
})

test('keeps all input but the password over a reload, before the code and with it (rules/account#sign-up-kept)', async ({
  page,
  server,
}) => {
  const person = somebodyNew()
  const restored = page.getByText('입력하던 내용을 다시 불러왔습니다.')
  await fillSignUp(page, person)
  await checkId(page)
  await page.reload()
  await expect(restored).toBeVisible()
  await expect(idField(page)).toHaveValue(person.userId)
  await expect(emailField(page)).toHaveValue(person.email)
  await expect(page.getByLabel('소속')).toContainText('부산지사')
  await expect(passwordField(page)).toHaveValue('')
  await expect(page.getByRole('button', { name: '중복확인' })).toBeEnabled()
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
    person.password,
  )

  await checkId(page)
  await passwordField(page).fill(person.password)
  await passwordAgain(page).fill(person.password)
  await certify(page)
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
  )
  expect(kept).not.toContain(person.password)

  await page.reload()
  await expect(restored).toBeVisible()
  await expect(passwordField(page)).toBeFocused()
  await expect(passwordField(page)).toHaveValue('')
  await expect(idField(page)).toHaveValue(person.userId)
  await expect(idField(page)).not.toBeEditable()
  await expect(page.getByLabel('소속')).toContainText('부산지사')
  await expect(countdown(page)).toHaveText(/^4:\d\d$/)
  await passwordField(page).fill(person.password)
  await passwordAgain(page).fill(person.password)
  await sendCode(page, (await mailTo(server, person.email)).code)
  await confirmAlert(page, DONE)
  await expect(page).toHaveURL('/')
  await page.goto('/signup')
  await expect(idField(page)).toHaveValue('')
})

test('retries affiliations that cannot be loaded in place', async ({ page, fragile, server }) => {
  await page.goto(`${fragile.url}/login`)
  await page.goto(`${fragile.url}/signup`)
  await expect(page.getByLabel('소속')).toContainText('선택해주세요.')
  await waitUntilSettled(page)
  fragile.cutDatabase()
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('목록을 불러오지 못했습니다.')
  await fragile.mendDatabase()
  await page.getByRole('button', { name: '다시 시도' }).click()
  await fillSignUp(page, somebodyNew())
  await expect(page.getByLabel('소속')).toContainText('부산지사')
  expect(server.url).not.toBe(fragile.url)
})

test('shows all errors of an empty form accessibly, in English without Korean, and fits into 1200 px', async ({
  page,
  expectAccessibleInEveryLook,
}) => {
  await page.setViewportSize({ width: 1200, height: 800 })
  await submit(page).click()
  await expect(page.getByText('필수 입력 항목입니다.')).toHaveCount(8)
  expect(await documentWidth(page)).toBe(1200)
  await expectAccessibleInEveryLook(page)
  await expect.poll(() => koreanWords(page)).toEqual([])
  // The catalogue's own word, with a capital that only the style adds.
  expect(await submit(page).textContent()).toBe('certify')
})

test('is accessible with a code in Korean light, dark and English', async ({
  page,
  expectAccessibleInEveryLook,
}) => {
  await fillSignUp(page, somebodyNew())
  await checkId(page)
  await certify(page)
  await expectAccessibleInEveryLook(page)
})
