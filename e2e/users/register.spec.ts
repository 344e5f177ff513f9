import type { Page } from '@playwright/test'
import { answer } from '../fixtures/dialogs.ts'
import { setLook } from '../fixtures/korean-text.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { choose, select } from './steps.ts'

const NEW_PASSWORD = 'Green-hill-2026'

/** Fills both cards, without the ID check. */
async function fill(page: Page, userId: string, partner: string): Promise<void> {
  await page.getByLabel('아이디', { exact: true }).fill(userId)
  await choose(page, '소속', '부산지사')
  await page.getByLabel('직급').fill('대리')
  await page.getByLabel('이름', { exact: true }).fill('김새봄')
  await page.getByLabel('전화번호').fill('01024681357')
  await page.getByLabel('이메일', { exact: true }).fill(`${userId}@example.com`)
  await page.getByLabel('비밀번호', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('비밀번호 확인', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('유효기간 시작일', { exact: true }).fill('2026-01-01')
  await page.getByLabel('유효기간 종료일', { exact: true }).fill('2088-12-31')
  await choose(page, '파트너 코드', partner)
}
/** Leaves the ID field, which checks it. */
async function checkId(page: Page): Promise<void> {
  await page.getByLabel('아이디', { exact: true }).focus()
  await page.getByLabel('이름', { exact: true }).focus()
  await expect(page.getByText('사용할 수 있는 아이디입니다.')).toBeVisible()
}
const submit = (page: Page) => page.getByRole('button', { name: '등록', exact: true })
const modal = (page: Page) => page.getByRole('dialog', { name: '비밀번호 확인' })
async function confirmWith(page: Page, password: string, reply = '네'): Promise<void> {
  await modal(page).getByLabel('관리자 비밀번호').fill(password)
  await modal(page).getByRole('button', { name: '확인' }).click()
  await answer(page, '사용자 등록', reply)
}

test.describe('registering a user (rules/users#register)', () => {
  test('registers a user with ID check and password confirmation, who can then log in', async ({
    as,
    server,
    page: visitor,
    expectAccessible,
  }) => {
    const { page } = await as('hr')
    const partner = await server.createPartner({ affiliation: 'BEL002' })
    await page.goto('/user/insert')
    const rules = page.getByRole('listitem').filter({ hasText: '흔히 쓰는 비밀번호가 아님' })
    await expect(select(page, '권한')).toContainText('일반 사용자')
    await expect(page.getByRole('group', { name: '승인 여부' }).getByRole('status')).toHaveText('승인')
    await fill(page, 'saebom.kim', partner)
    await expect(rules).toContainText('(충족)')

    // Unchecked it stops silently, with the words at the field (rules/account#id-check): the first of two that are wrong.
    await page.getByLabel('아이디', { exact: true }).fill('saebom.kimm')
    await page.getByLabel('아이디', { exact: true }).fill('saebom.kim')
    await page.route('**/check/id', (route) => route.abort())
    await page.getByLabel('직급', { exact: true }).fill('')
    await submit(page).click()
    await expect(page.getByLabel('아이디', { exact: true })).toBeFocused()
    await page.getByLabel('직급', { exact: true }).fill('대리')
    await expect(page.getByLabel('아이디', { exact: true })).toHaveAccessibleDescription(
      '아이디 중복확인을 해주세요.',
    )
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.unroute('**/check/id')
    await page.getByRole('button', { name: '중복확인' }).click()
    await expect(page.getByText('사용할 수 있는 아이디입니다.')).toBeVisible()
    // Any edit makes the check void, also one that is taken back (rules/account#id-check).
    await page.getByLabel('아이디', { exact: true }).fill('saebom.kimm')
    await page.getByLabel('아이디', { exact: true }).fill('saebom.kim')
    await expect(page.getByRole('button', { name: '중복확인' })).toBeEnabled()
    await checkId(page)

    await page.getByLabel('비밀번호', { exact: true }).press('Enter')
    await expect(modal(page)).toBeVisible()
    await expectAccessible(page)
    expect((await modal(page).locator('..').boundingBox())?.width).toBe(800)
    await expect(modal(page).getByLabel('관리자 비밀번호')).toBeFocused()
    // The password first, then the question, then the call.
    await confirmWith(page, PASSWORD, '아니오')
    await expect(modal(page)).toBeHidden()
    const saebom = server.db.selectFrom('users').select('id').where('loginId', '=', 'saebom.kim')
    expect(await saebom.executeTakeFirst()).toBeUndefined()
    await submit(page).click()
    await confirmWith(page, 'not-It-2026!')
    await answer(page, '비밀번호가 올바르지 않습니다. 다시 입력해주세요.', '확인')
    await expect(modal(page).getByLabel('관리자 비밀번호')).toBeFocused()
    await confirmWith(page, PASSWORD)
    await answer(page, '등록이 완료되었습니다.', '확인')
    await expect(page).toHaveURL('/user/detail')
    await expect(page.getByLabel('아이디', { exact: true })).toHaveValue('saebom.kim')
    await expect(select(page, '파트너 코드')).toContainText(partner)

    await visitor.goto('/login')
    await visitor.getByLabel('아이디', { exact: true }).fill('saebom.kim')
    await visitor.getByLabel('비밀번호', { exact: true }).fill(NEW_PASSWORD)
    await visitor.getByLabel('비밀번호', { exact: true }).press('Enter')
    // A password that a manager set need not be changed (rules/account#temporary-password).
    await expect(visitor).toHaveURL('/main')
  })

  test('shows errors at their fields and keeps the input if an email or ID is taken', async ({
    as,
    server,
  }) => {
    const { page } = await as('admin')
    const other = await server.createUser()
    const partner = await server.createPartner({ affiliation: 'BEL002' })
    await page.goto('/user/insert')
    await submit(page).click()
    for (const label of ['아이디', '직급', '이름', '전화번호', '이메일'])
      await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(
        '필수 입력 항목입니다.',
      )
    await expect(page.getByLabel('유효기간 종료일', { exact: true })).toHaveAccessibleDescription(
      '필수 입력 항목입니다.',
    )
    // Without a password the owner is invited to make one (rules/users#register).
    await expect(page.getByLabel('비밀번호', { exact: true })).toHaveAccessibleDescription(
      '비워두면 본인이 비밀번호를 만들 수 있는 초대 메일을 보냅니다.',
    )
    await fill(page, 'hangyeol.lee', partner)
    await page.getByLabel('전화번호').fill('010-1234-567')
    await expect(page.getByLabel('전화번호')).toHaveAccessibleDescription(
      '전화번호는 11자리의 숫자만 적어주세요.',
    )
    await page.getByLabel('전화번호').fill('01024681357')
    await page.getByLabel('비밀번호 확인', { exact: true }).fill('Green-hill-2027')
    await submit(page).click()
    await expect(page.getByLabel('비밀번호 확인', { exact: true })).toHaveAccessibleDescription(
      '비밀번호가 다릅니다. 다시 확인해주세요.',
    )
    await page.getByLabel('비밀번호 확인', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('이메일', { exact: true }).fill(other.email)
    await checkId(page)
    await submit(page).click()
    await confirmWith(page, PASSWORD)
    await answer(page, '이미 사용 중인 이메일입니다.', '확인')
    await expect(modal(page)).toBeHidden()
    await expect(page.getByLabel('이메일', { exact: true })).toBeFocused()
    await expect(page.getByLabel('이메일', { exact: true })).toHaveAccessibleDescription(
      '이미 사용 중인 이메일입니다.',
    )
    await page.getByLabel('이메일', { exact: true }).fill('hangyeol.lee@example.com')
    // Somebody is quicker with the ID.
    await server.createUser({ loginId: 'hangyeol.lee', email: 'quick@example.com' })
    await submit(page).click()
    await confirmWith(page, PASSWORD)
    await answer(page, '이미 사용 중인 아이디입니다.', '확인')
    await expect(page.getByLabel('아이디', { exact: true })).toBeFocused()
    await expect(page.getByLabel('비밀번호', { exact: true })).toHaveValue(NEW_PASSWORD)
    await expect(page.getByRole('button', { name: '중복확인' })).toBeEnabled()
    // Another affiliation clears the partner code (rules/users#affiliation-change).
    await choose(page, '소속', '본사')
    await expect(select(page, '파트너 코드')).not.toContainText(partner)
    // Unsaved input is not lost by accident.
    await page.getByRole('button', { name: '뒤로', exact: true }).click()
    await answer(page, '뒤로', '네')
    await expect(page).toHaveURL('/user/search')
  })

  test('normalizes input, reports taken values on leaving a field, and preselects (rules/users#availability-check, rules/users#user-id, rules/frame#preselection)', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const { page } = await as('admin')
    const other = await server.createUser()
    await page.goto('/user/insert')
    const id = page.getByLabel('아이디', { exact: true })
    await id.pressSequentially(other.userId.toUpperCase())
    await expect(id).toHaveValue(other.userId)
    // Not while the person is about to have it checked.
    await id.press('Tab')
    await expect(page.getByRole('button', { name: '중복확인' })).toBeFocused()
    await expect(id).not.toHaveAttribute('aria-invalid')
    await page.keyboard.press('Tab')
    await expect(id).toHaveAccessibleDescription('이미 사용 중인 아이디입니다.')
    await id.press('1')
    await expect(id).not.toHaveAttribute('aria-invalid')
    const email = page.getByLabel('이메일', { exact: true })
    await email.fill(other.email.toUpperCase())
    await email.press('Tab')
    await expect(email).toHaveAccessibleDescription('이미 사용 중인 이메일입니다.')
    await page.getByLabel('전화번호').pressSequentially('+82 10-2468-1357')
    await expect(page.getByLabel('전화번호')).toHaveValue('01024681357')
    await expectAccessibleInEveryLook(page)
    await setLook(page, '한국어')

    await page.goto('/partner/insert')
    await choose(page, '시/도', '세종특별자치시')
    await expect(select(page, '시/군/구')).toContainText('세종')
    await expect(page.getByLabel('유효기간 시작일', { exact: true })).not.toHaveValue('')
  })

  test('shows 권한이 없습니다. if autho_user_insert was revoked meanwhile, and leads to /', async ({
    as,
    server,
  }) => {
    const { page } = await as('hr')
    const partner = await server.createPartner({ affiliation: 'BEL002' })
    await page.goto('/user/insert')
    await fill(page, 'revoked.kim', partner)
    await checkId(page)
    await submit(page).click()
    const grant = { roleCode: 'AUT002', functionName: 'autho_user_insert' } as const
    await server.db
      .deleteFrom('roleFunctions')
      .where('roleCode', '=', grant.roleCode)
      .where('functionName', '=', grant.functionName)
      .execute()
    await confirmWith(page, PASSWORD)
    await answer(page, '권한이 없습니다.', '확인')
    await expect(page).toHaveURL('/main')
    await server.db.insertInto('roleFunctions').values(grant).execute()
    const made = server.db.selectFrom('users').select('id').where('loginId', '=', 'revoked.kim')
    expect(await made.executeTakeFirst()).toBeUndefined()
  })
})
