import { answer, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { logIn, readStoredSession } from './steps.ts'

test.beforeEach(async ({ server }) => {
  // Every test comes from one address, whose wrong passwords are counted together.
  await server.db.deleteFrom('rateLimits').execute()
})

test.describe('login (rules/account#login)', () => {
  test('has the fields userId and userPw, with labels, and the three links', async ({ page }) => {
    await page.goto('/login')
    await expect(page).toHaveTitle('로그인 | 마루')
    await expect(page.getByRole('textbox', { name: '아이디' })).toHaveAttribute('name', 'userId')
    const password = page.getByLabel('비밀번호', { exact: true })
    await expect(password).toHaveAttribute('name', 'userPw')
    await expect(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: '비밀번호 표시' }).click()
    await expect(password).toHaveAttribute('type', 'text')
    for (const [name, path] of [
      ['아이디 찾기', '/find/id'],
      ['비밀번호 재설정', '/reset/pw'],
      ['회원가입', '/signup'],
    ] as const) {
      await expect(page.getByRole('link', { name })).toHaveAttribute('href', path)
    }
  })

  test('points out empty fields accessibly in Korean light, dark and English (rules/frame#accessibility)', async ({
    page,
    expectAccessibleInEveryLook,
  }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: '로그인' }).click()
    await expect(page.getByText('필수 입력 항목입니다.')).toHaveCount(2)
    const id = page.getByRole('textbox', { name: '아이디' })
    await expect(id).toBeFocused()
    await expect(id).toHaveAccessibleDescription('필수 입력 항목입니다.')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expectAccessibleInEveryLook(page)
  })

  test('stores session_uid and session_user_id and replaces the history entry', async ({ page, server }) => {
    const { userId } = await server.createUser({ name: '로그인하는이' })
    await page.goto('/signup')
    await page.goto('/login')
    await logIn(page, userId.toUpperCase(), PASSWORD)
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('로그인하는이 님')
    const session = await readStoredSession(page)
    expect(session.uid).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(session.userId).toBe(userId)
    await page.goBack()
    await expect(page).toHaveURL('/signup')
  })

  test('works by keyboard alone', async ({ page, server }) => {
    const { userId } = await server.createUser()
    await page.goto('/login')
    await expect(page.getByRole('textbox', { name: '아이디' })).toBeFocused()
    await page.keyboard.type(userId)
    await page.keyboard.press('Tab')
    await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toContainText('아이디 또는 비밀번호가 올바르지 않습니다.')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    // The password is selected: typing goes over it.
    await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/main')
  })

  test('begins with the ID that a person has it remember, until they no longer want it (rules/account#id-remembered)', async ({
    page,
    server,
  }) => {
    const { userId } = await server.createUser()
    const remember = page.getByRole('checkbox', { name: '아이디 저장' })
    const id = page.getByRole('textbox', { name: '아이디' })
    await page.goto('/login')
    await expect(remember).not.toBeChecked()
    await remember.check()
    await logIn(page, userId, PASSWORD)
    await expect(page).toHaveURL('/main')
    await logOut(page)
    await expect(id).toHaveValue(userId)
    await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
    await remember.uncheck()
    await page.reload()
    await expect(id).toHaveValue('')
  })

  test('locks the account for 15 minutes after five wrong passwords and says so (rules/account#login-lock)', async ({
    page,
    server,
  }) => {
    const { userId } = await server.createUser()
    await page.goto('/login')
    for (let tries = 1; tries <= 4; tries += 1) {
      await logIn(page, userId, `wrong ${tries}`)
      await answer(page, '아이디 또는 비밀번호가 올바르지 않습니다.', '확인')
    }
    const locked = '비밀번호를 5회 잘못 입력하여 15분 동안 로그인할 수 없습니다. 잠시 후 다시 시도해주세요.'
    for (const password of ['wrong 5', PASSWORD]) {
      await logIn(page, userId, password)
      await expect(page.getByRole('alertdialog')).toContainText(locked)
      await expect(page.getByRole('alertdialog')).toContainText('약 15분 후에 다시 시도할 수 있습니다.')
      await page.getByRole('alertdialog').getByRole('button', { name: '확인' }).click()
      await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
    }
  })

  test('shows the attempts left, alike for an ID that does not exist (rules/account#attempts-left)', async ({
    page,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { userId } = await server.createUser()
    const password = page.getByLabel('비밀번호', { exact: true })
    await page.goto('/login')
    await expect(page.getByText('남은 횟수')).toHaveCount(0)
    for (const id of [userId, 'nobody.at.all']) {
      for (const left of [4, 3]) {
        await logIn(page, id, 'not-the-password')
        await answer(page, '아이디 또는 비밀번호가 올바르지 않습니다.', '확인')
        await expect(password).toBeFocused()
        await expect(password).toHaveAccessibleDescription(
          `5회 연속으로 잘못 입력하면 15분 동안 로그인할 수 없습니다. 남은 횟수는 최대 ${left}회입니다.`,
        )
      }
    }
    // Each ID has its own count.
    const id = page.getByRole('textbox', { name: '아이디' })
    await id.fill('another.id')
    await expect(page.getByText('남은 횟수')).toHaveCount(0)
    await id.fill(userId)
    await expect(page.getByText('남은 횟수')).toBeVisible()
    await expectAccessibleInEveryLook(page)
  })

  test('carries the typed ID to the pages for help and back (rules/account#typed-id)', async ({ page }) => {
    const id = page.getByRole('textbox', { name: '아이디' })
    await page.goto('/login')
    await logIn(page, 'typed.kim', 'not-the-password')
    await answer(page, '아이디 또는 비밀번호가 올바르지 않습니다.', '확인')
    await page.getByRole('link', { name: '비밀번호 재설정' }).first().click()
    // The URL changes before the page does, and both pages have a field for the ID.
    await expect(page.getByRole('heading', { name: '비밀번호 재설정' })).toBeVisible()
    await expect(page).toHaveURL('/reset/pw')
    await expect(id).toHaveValue('typed.kim')
    await id.fill('typed.lee')
    await page.getByRole('link', { name: '아이디 찾기' }).click()
    await expect(page).toHaveURL('/find/id')
    await page.getByRole('link', { name: '로그인으로' }).click()
    await expect(page).toHaveURL('/login')
    await expect(id).toHaveValue('typed.lee')
  })
})
