import { answer, logOut } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { logIn, readStoredSession } from './steps.ts'

const NEW_PASSWORD = 'Brand-new-2026'

test.beforeEach(async ({ server }) => {
  // Every test comes from one address, whose wrong passwords are counted together.
  await server.db.deleteFrom('rateLimits').execute()
})

test.describe('a temporary password (rules/account#temporary-password)', () => {
  test('can be changed on a page that is accessible in Korean light, dark and English', async ({
    as,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('user', { temporary: true })
    await page.goto('/password')
    await page.getByLabel('새 비밀번호', { exact: true }).fill('short')
    await page.getByRole('button', { name: '비밀번호 변경' }).click()
    await expect(page.getByText('비밀번호는 8자 이상 입력해주세요.')).toBeVisible()
    await expectAccessibleInEveryLook(page)
  })

  test('is replaced in a form that shows rules and mismatch while typing (rules/account#password-change)', async ({
    as,
  }) => {
    const { page } = await as('user', { temporary: true })
    await page.goto('/password')
    const fresh = page.getByLabel('새 비밀번호', { exact: true })
    const again = page.getByLabel('새 비밀번호 확인', { exact: true })
    const rule = (text: string) => page.getByRole('listitem').filter({ hasText: text })

    await fresh.fill('abc')
    await expect(rule('8자 이상 128자 이하')).toContainText('(미충족)')
    await fresh.press('Tab')
    await expect(fresh).toHaveAccessibleDescription('비밀번호는 8자 이상 입력해주세요.')
    await fresh.fill('abcdefgh')
    await expect(rule('8자 이상 128자 이하')).toContainText('(충족)')
    await expect(rule('영문·숫자·기호 중 두 종류 이상')).toContainText('(미충족)')
    await fresh.fill(NEW_PASSWORD)
    await expect(rule('영문·숫자·기호 중 두 종류 이상')).toContainText('(충족)')
    await expect(fresh).toHaveAccessibleDescription('')

    await again.fill('Brand-old-2026')
    await again.press('Tab')
    await expect(again).toHaveAccessibleDescription('새 비밀번호를 다시 확인해주세요.')
    await expect(rule('새 비밀번호와 확인이 일치')).toContainText('(미충족)')
    await again.fill(NEW_PASSWORD)
    await expect(again).toHaveAccessibleDescription('')
    await expect(rule('새 비밀번호와 확인이 일치')).toContainText('(충족)')
  })

  test('stops working once changed, and the browser continues in a new session (rules/account#password-change)', async ({
    page,
    server,
  }) => {
    const { userId } = await server.createUser({ temporary: true })
    await page.goto('/login')
    await logIn(page, userId, PASSWORD)
    await expect(page).toHaveURL('/password')
    const before = await readStoredSession(page)
    // The server knows the temporary password from the login (rules/account#temporary-password-once).
    await expect(page.getByLabel('기존 비밀번호')).toHaveCount(0)
    await expect(page.getByLabel('새 비밀번호', { exact: true })).toBeFocused()
    await page.getByLabel('새 비밀번호', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('새 비밀번호 확인', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: '비밀번호 변경' }).click()

    const question = page.getByRole('alertdialog', { name: '비밀번호 변경' })
    await expect(question).toContainText('비밀번호를 변경하시겠습니까?')
    await question.getByRole('button', { name: '네' }).click()
    const done = page.getByRole('alertdialog', { name: '비밀번호가 변경되었습니다.' })
    await done.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/main')
    const after = await readStoredSession(page)
    expect(after.userId).toBe(userId)
    expect(after.uid).not.toBe(before.uid)
    await expect(page.getByRole('heading', { name: '공지사항 조회' })).toBeVisible()

    await logOut(page)
    await expect(page).toHaveURL('/login')
    await logIn(page, userId, PASSWORD)
    await answer(page, '아이디 또는 비밀번호가 올바르지 않습니다.', '확인')
    await logIn(page, userId, NEW_PASSWORD)
    await expect(page).toHaveURL('/main')
  })

  test('is asked for some time after the login, and stays after 아니오 or a refusal, which keeps the input (rules/account#temporary-password-once)', async ({
    as,
    server,
    expectAccessible,
  }) => {
    const { page, person } = await as('user', { temporary: true })
    await server.pool.query(
      `update sessions set created_at = now() - interval '11 minutes' where user_id = $1`,
      [person.id],
    )
    await page.goto('/password')
    await page.getByLabel('새 비밀번호', { exact: true }).fill(PASSWORD)
    await page.getByLabel('새 비밀번호 확인', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: '비밀번호 변경' }).click()
    const question = page.getByRole('alertdialog', { name: '비밀번호 변경' })
    await question.getByRole('button', { name: '아니오' }).click()
    await expect(question).toBeHidden()
    const { passwordTemporary } = await server.db
      .selectFrom('users')
      .select('passwordTemporary')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(passwordTemporary).toBe(true)

    const refusals = [
      ['기존 비밀번호', '확인을 위해 기존 비밀번호를 입력해주세요.', 'wrong-password-1!'],
      ['기존 비밀번호', '비밀번호가 올바르지 않습니다. 다시 입력해주세요.', PASSWORD],
      ['새 비밀번호', '최근에 사용한 비밀번호 3개는 다시 사용할 수 없습니다.', undefined],
    ] as const
    for (const [label, message, next] of refusals) {
      await page.getByRole('button', { name: '비밀번호 변경' }).click()
      await question.getByRole('button', { name: '네' }).click()
      await page.getByRole('alertdialog', { name: message }).getByRole('button', { name: '확인' }).click()
      const field = page.getByLabel(label, { exact: true })
      await expect(field).toHaveAccessibleDescription(message)
      await expect(page.getByLabel('새 비밀번호', { exact: true })).toHaveValue(PASSWORD)
      await expect(field).toBeFocused()
      await expectAccessible(page)
      if (next !== undefined) await field.fill(next)
    }
  })
})
