import type { Page } from '@playwright/test'
import { expect, PASSWORD, test } from './fixtures/test.ts'

const NEW_PASSWORD = 'Brand-new-2026'

/** The paths whose 'Login needed' is yes in the route table of spec §2. */
const GUARDED = [
  '/main',
  '/user/search',
  '/user/detail',
  '/mypage',
  '/user/insert',
  '/key/search',
  '/partner/insert',
  '/partner/detail',
  '/partner/search',
]

async function logIn(page: Page, userId: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: '아이디' }).fill(userId)
  await page.getByLabel('비밀번호', { exact: true }).fill(password)
  await page.getByRole('button', { name: '로그인' }).click()
}

function stored(page: Page): Promise<{ uid: string | null; userId: string | null }> {
  return page.evaluate(() => ({
    uid: localStorage.getItem('session_uid'),
    userId: localStorage.getItem('session_user_id'),
  }))
}

test.beforeEach(async ({ server }) => {
  // Every test comes from one address, whose wrong passwords are counted together.
  await server.db.deleteFrom('rate_limits').execute()
})

test.describe('login (spec §2, §4)', () => {
  test('has the fields userId and userPw, labelled, and the three links', async ({ page }) => {
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

  test('is accessible in Korean light, dark and English', async ({ page, expectAccessibleInEveryLook }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: '로그인' }).click()
    await expect(page.getByText('필수 입력 항목입니다.')).toHaveCount(2)
    await expectAccessibleInEveryLook(page)
  })

  test('success keeps session_uid and session_user_id and replaces the history entry', async ({
    page,
    server,
  }) => {
    const { userId } = await server.createUser({ name: '로그인하는이' })
    await page.goto('/signup')
    await page.goto('/login')
    await logIn(page, userId.toUpperCase(), PASSWORD)
    await expect(page).toHaveURL('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('로그인하는이 님')
    const session = await stored(page)
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
    await expect(page.getByRole('alert')).toContainText('아이디 또는 비밀번호가 올바르지 않습니다.')
    // The password is selected: typing goes over it.
    await expect(page.getByLabel('비밀번호', { exact: true })).toBeFocused()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/main')
  })

  test('empty fields are told before anything is sent', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: '로그인' }).click()
    await expect(page.getByRole('textbox', { name: '아이디' })).toBeFocused()
    await expect(page.getByRole('textbox', { name: '아이디' })).toHaveAccessibleDescription(
      '필수 입력 항목입니다.',
    )
    await expect(page.getByRole('alert')).toBeEmpty()
  })

  const refusals = [
    [
      'an unapproved account',
      '아직 승인되지 않은 계정입니다. 관리자의 승인 후 로그인해주세요.',
      { approved: false },
    ],
    [
      'an account whose validity has not begun',
      '계정의 사용 기간이 아직 시작되지 않았습니다. 관리자에게 문의해주세요.',
      { validFrom: '2099-01-01' },
    ],
    [
      'an account whose validity is over',
      '계정의 사용 기간이 끝났습니다. 관리자에게 문의해주세요.',
      { validTo: '2020-12-31' },
    ],
  ] as const
  for (const [who, message, user] of refusals) {
    test(`${who} is refused with its own message, after the right password only (decisions §4)`, async ({
      page,
      server,
    }) => {
      const { userId } = await server.createUser(user)
      await page.goto('/login')
      await logIn(page, userId, 'not-the-password')
      await expect(page.getByRole('alert')).toHaveText('아이디 또는 비밀번호가 올바르지 않습니다.')
      await logIn(page, userId, PASSWORD)
      await expect(page.getByRole('alert')).toHaveText(message)
      await expect(page).toHaveURL('/login')
      expect(await stored(page)).toEqual({ uid: null, userId: null })
    })
  }

  test('a withdrawn account is refused with its own message (decisions §4)', async ({ page, server }) => {
    const { id, userId } = await server.createUser()
    await server.db.updateTable('users').set({ withdrawn_at: new Date() }).where('id', '=', id).execute()
    await page.goto('/login')
    await logIn(page, userId, PASSWORD)
    await expect(page.getByRole('alert')).toHaveText('탈퇴한 계정입니다.')
  })

  test('a wrong password and an unknown ID get the same answer (decisions §4)', async ({ page, server }) => {
    const { userId } = await server.createUser()
    await page.goto('/login')
    for (const id of [userId, 'nobody.here']) {
      await logIn(page, id, 'not-the-password')
      await expect(page.getByRole('alert')).toHaveText('아이디 또는 비밀번호가 올바르지 않습니다.')
      await expect(page.getByRole('textbox', { name: '아이디' })).toHaveValue(id)
    }
  })

  test('five wrong passwords lock the account for 15 minutes, and the message says so (decisions §4)', async ({
    page,
    server,
  }) => {
    const { userId } = await server.createUser()
    await page.goto('/login')
    for (let tries = 1; tries <= 4; tries += 1) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/stm/v1/login'))
      await logIn(page, userId, `wrong ${tries}`)
      await answered
    }
    await expect(page.getByRole('alert')).toHaveText('아이디 또는 비밀번호가 올바르지 않습니다.')
    await logIn(page, userId, 'wrong 5')
    const locked = '비밀번호를 5회 잘못 입력하여 15분 동안 로그인할 수 없습니다. 잠시 후 다시 시도해주세요.'
    await expect(page.getByRole('alert')).toContainText(locked)
    await expect(page.getByRole('alert')).toContainText('약 15분 후에 다시 시도할 수 있습니다.')
    await logIn(page, userId, PASSWORD)
    await expect(page.getByRole('alert')).toContainText(locked)
  })

  test('a person who is logged in already goes to /main (spec §2)', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/login')
    await expect(page).toHaveURL('/main')
  })

  test('a login in another tab is a login here too', async ({ page, server }) => {
    const { userId } = await server.createUser()
    await page.goto('/login')
    const other = await page.context().newPage()
    await other.goto('/login')
    await logIn(other, userId, PASSWORD)
    await expect(page).toHaveURL('/main')
  })
})

test.describe('routes (spec §2)', () => {
  test('/ is the login screen without a session and /main with one', async ({ page, as }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    await expect(page).toHaveURL('/')
    const { page: signedIn } = await as('user')
    await signedIn.goto('/')
    await expect(signedIn).toHaveURL('/main')
  })

  test('every path that needs a login leads to /login without one', async ({ page }) => {
    for (const path of GUARDED) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/login')
      await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
    }
  })

  test('the guard looks at session_user_id, not at session_uid (decisions §4)', async ({ page }) => {
    await page.goto('/login')
    await page.evaluate(() => localStorage.setItem('session_uid', 'something'))
    await page.goto('/main')
    await expect(page).toHaveURL('/login')
  })

  test('the paths that need none stay where they are', async ({ page }) => {
    const open = [
      '/notice/search',
      '/notice/detail?noticeId=1&writer=kim',
      '/notice/insert',
      '/find/id',
      '/reset/pw',
      '/signup',
    ]
    for (const path of open) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page, path).toHaveURL(path)
    }
  })
})

test.describe('logout (decisions §6)', () => {
  test('/logout ends the session on the server, clears the storage and lands on /login', async ({
    as,
    server,
  }) => {
    const { page, person } = await as('user')
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
    await page.goto('/logout')
    await expect(page).toHaveURL('/login')
    expect(await stored(page)).toEqual({ uid: null, userId: null })
    const sessions = await server.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', person.id)
      .execute()
    expect(sessions).toEqual([])
    await page.goto('/main')
    await expect(page).toHaveURL('/login')
  })

  test('/logout without a session leads to /login as well', async ({ page }) => {
    await page.goto('/logout')
    await expect(page).toHaveURL('/login')
  })

  test('a logout in another tab ends this one too', async ({ as }) => {
    const { page } = await as('user')
    await page.goto('/main')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
    const other = await page.context().newPage()
    await other.goto('/logout')
    await expect(page).toHaveURL('/login')
  })
})

test.describe('a temporary password (decisions §4)', () => {
  test('login leads to /password, and every other address leads back there', async ({ page, server }) => {
    const { userId } = await server.createUser({ temporary: true })
    await page.goto('/login')
    await logIn(page, userId, PASSWORD)
    await expect(page).toHaveURL('/password')
    await expect(page.getByRole('heading', { name: '비밀번호 변경' })).toBeVisible()
    for (const path of GUARDED) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/password')
    }
  })

  test('/password is accessible in Korean light, dark and English', async ({
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

  test('rules and the mismatch are told while the person types (spec §5)', async ({ as }) => {
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

  test('the new password works, the old one no longer, and the new session is kept (spec §4)', async ({
    page,
    server,
  }) => {
    const { userId } = await server.createUser({ temporary: true })
    await page.goto('/login')
    await logIn(page, userId, PASSWORD)
    await expect(page).toHaveURL('/password')
    const before = await stored(page)
    await page.getByLabel('기존 비밀번호').fill(PASSWORD)
    await page.getByLabel('새 비밀번호', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('새 비밀번호 확인', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: '비밀번호 변경' }).click()

    const question = page.getByRole('alertdialog', { name: '비밀번호 재설정' })
    await expect(question).toContainText('비밀번호를 재설정하시겠습니까?')
    await question.getByRole('button', { name: '네' }).click()
    const done = page.getByRole('alertdialog', { name: '비밀번호가 변경되었습니다.' })
    await done.getByRole('button', { name: '확인' }).click()
    await expect(page).toHaveURL('/main')
    const after = await stored(page)
    expect(after.userId).toBe(userId)
    expect(after.uid).not.toBe(before.uid)
    await expect(page.getByRole('heading', { name: '공지사항 조회' })).toBeVisible()

    await page.goto('/logout')
    await expect(page).toHaveURL('/login')
    await logIn(page, userId, PASSWORD)
    await expect(page.getByRole('alert')).toHaveText('아이디 또는 비밀번호가 올바르지 않습니다.')
    await logIn(page, userId, NEW_PASSWORD)
    await expect(page).toHaveURL('/main')
  })

  test('아니오 changes nothing; what the server refuses is told and stays typed', async ({ as, server }) => {
    const { page, person } = await as('user', { temporary: true })
    await page.goto('/password')
    await page.getByLabel('기존 비밀번호').fill('wrong-password-1!')
    await page.getByLabel('새 비밀번호', { exact: true }).fill(PASSWORD)
    await page.getByLabel('새 비밀번호 확인', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: '비밀번호 변경' }).click()
    const question = page.getByRole('alertdialog', { name: '비밀번호 재설정' })
    await question.getByRole('button', { name: '아니오' }).click()
    await expect(question).toBeHidden()
    const { password_temporary } = await server.db
      .selectFrom('users')
      .select('password_temporary')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(password_temporary).toBe(true)

    const refusals = [
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
      if (next !== undefined) await field.fill(next)
    }
  })
})
