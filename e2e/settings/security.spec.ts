import { getSecurity, updateSecurity } from '../../contract/settings/security.ts'
import { startSession } from '../../server/callers/sessions.ts'
import { passGate } from '../account/steps.ts'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, waitUntilSettled, test } from '../fixtures/test.ts'
import { completeUser, openUser, save as saveUser, userRow } from '../users/steps.ts'

test.afterEach(async ({ server }) => {
  await server.db
    .updateTable('settings')
    .set({
      profileEditors: 'users',
      validityEnd: 'required',
      sessionLimit: 0,
      sessionBinding: 'off',
      adminNetworks: [],
      uploadQuotaMb: 10_000,
    })
    .execute()
})

test.describe('the security settings (rules/settings#security)', () => {
  test('save by keyboard and prevent a self-lockout', async ({ as, server, expectAccessibleInEveryLook }) => {
    const { page } = await as('admin')
    await page.goto('/main')
    await page.getByRole('button', { name: '설정', exact: true }).press('Enter')
    await page.getByRole('link', { name: '보안 설정', exact: true }).press('Enter')
    await expect(page).toHaveURL('/setting/security')
    const limit = page.getByRole('textbox', { name: /^동시 로그인 기기 수/ })
    const networks = page.getByRole('textbox', { name: /^관리자 접속 허용 주소/ })
    const save = page.getByRole('button', { name: '저장', exact: true })
    await expect(limit).toHaveValue('0')

    await limit.fill('51')
    await save.click()
    await expect(limit).toBeFocused()
    await expect(page.getByText('0~50')).not.toHaveCount(0)
    await limit.fill('3')
    const quota = page.getByRole('textbox', { name: /^1인당 하루 업로드 한도/ })
    await expect(quota).toHaveValue('10000')
    // The form itself refuses it, without a call.
    await page.route(`**${updateSecurity.path}`, (route) => route.abort())
    await quota.fill('1000001')
    await save.click()
    await expect(quota).toBeFocused()
    await expect(quota).toHaveAccessibleDescription(/0~1000000/)
    await page.unrouteAll({ behavior: 'wait' })
    await expect(page.getByText('0~1000000')).not.toHaveCount(0)
    await quota.fill('500')
    await networks.fill('10.0.0.0/8\nportal')
    await save.click()
    await expect(page.getByText('portal: 주소나 대역이 아닙니다.')).toBeVisible()
    await networks.fill('10.0.0.0/8')
    await save.press('Enter')
    await answer(page, /지금 접속한 주소가 목록에 없어/, '확인')
    await expect(networks).toBeFocused()
    await page.getByRole('button', { name: /^지금 접속한 주소 추가/ }).press('Enter')
    // Input while the saved record is read again, which begins at once after the save.
    await page.route(`**${getSecurity.path}`, async (route) => {
      await limit.fill('5')
      await route.continue()
    })
    await save.press('Enter')
    await closeToast(page, '보안 설정을 저장했습니다.')
    const saved = await server.db
      .selectFrom('settings')
      .select(['sessionLimit', 'adminNetworks', 'uploadQuotaMb'])
      .executeTakeFirstOrThrow()
    expect(saved.sessionLimit).toBe(3)
    expect(saved.uploadQuotaMb).toBe(500)
    expect(saved.adminNetworks[0]).toBe('10.0.0.0/8')
    expect(saved.adminNetworks).toHaveLength(2)

    await waitUntilSettled(page)
    await expect(limit).toHaveValue('5')
    await page.unrouteAll({ behavior: 'wait' })

    // Another user saves first.
    await server.pool.query('update settings set session_limit = 7')
    await save.press('Enter')
    await answer(page, /다른 사용자가 이 정보를 수정했습니다/, '확인')
    const card = page.getByRole('region', { name: '다른 사용자가 먼저 저장한 내용' })
    await expect(card).toBeFocused()
    // The title of the page is in sight, below the header that stays.
    const header = await page.getByRole('banner').boundingBox()
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.y ?? 0).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0))
    await expect(card.getByRole('definition')).toHaveText(['7'])
    await save.press('Enter')
    await answer(page, '다른 사용자가 먼저 저장한 내용', '네')
    await closeToast(page, '보안 설정을 저장했습니다.')
    await expect(card).toHaveCount(0)
    await expectAccessibleInEveryLook(page)
  })
})

test('hides the form of the security settings without permission to save them (rules/settings#security)', async ({
  as,
  server,
}) => {
  await server.pool.query(`insert into role_functions values ('AUT002', 'autho_setting_manage')`)
  const { page } = await as('hr')
  await page.goto('/setting/security')
  await expect(page.getByRole('textbox', { name: /^동시 로그인 기기 수/ })).toHaveValue('0')
  const form = page.getByRole('main')
  await expect(form.getByRole('button', { name: '저장', exact: true })).toHaveCount(0)
  for (const field of await form.getByRole('textbox').all()) await expect(field).not.toBeEditable()
  for (const box of await form.getByRole('checkbox').all()) await expect(box).toBeDisabled()
  await expect(form.getByRole('button', { name: /세션을 사용할 수 있는 곳/ })).toBeDisabled()
  await expect(form.getByRole('button', { name: /^지금 접속한 주소 추가/ })).toBeDisabled()
  await server.pool.query(
    `delete from role_functions where role_code = 'AUT002' and function_name = 'autho_setting_manage'`,
  )
})

test('asks in the guide who maintains names, and shows them read-only to users (rules/settings#profile-editors)', async ({
  as,
  server,
}) => {
  await server.pool.query('update settings set profile_editors_decided = false')
  const { page } = await as('admin')
  await page.goto('/setup')
  const step = page.getByRole('main').getByRole('listitem').filter({ hasText: '이름과 직급 관리' })
  await expect(step).toContainText('미완료')
  await step.getByRole('link').press('Enter')
  await expect(page).toHaveURL('/setting/security#profiles')
  const editors = page.getByRole('button', { name: /이름과 직급을 수정하는 사람/ })
  await expect(editors).toBeFocused()
  await editors.press('Enter')
  await page.getByRole('option', { name: '인사 담당자' }).click()
  await page.getByRole('button', { name: '저장', exact: true }).press('Enter')
  await closeToast(page, '보안 설정을 저장했습니다.')
  await page.goto('/setup')
  await expect(step.getByText('완료', { exact: true })).toBeVisible()

  const { page: theirs } = await as('user')
  await theirs.goto('/mypage')
  await passGate(theirs)
  for (const name of ['직급', '이름']) {
    const field = theirs.getByRole('textbox', { name, exact: true })
    await expect(field).not.toBeEditable()
    await expect(field).toHaveAccessibleDescription('인사 담당자만 변경할 수 있습니다.')
  }
  await theirs.getByRole('textbox', { name: '전화번호', exact: true }).fill('01012340000')
  await theirs.getByRole('button', { name: '저장', exact: true }).press('Enter')
  await answer(theirs, '사용자 수정', '네')
  await answer(theirs, '수정이 완료되었습니다.', '확인')
})

test('lets an account have no end once the setting allows it (rules/users#open-end, rules/settings#validity-end)', async ({
  as,
  server,
}) => {
  const { page } = await as('admin')
  const person = await completeUser(server, { name: '정규직원' })
  await openUser(page, '정규직원')
  const end = page.getByLabel('유효기간 종료일', { exact: true })
  await end.fill('')
  await page.getByRole('button', { name: '저장' }).press('Enter')
  await expect(end).toHaveAccessibleDescription('필수 입력 항목입니다.')

  await page.goto('/setting/security')
  await page.getByRole('button', { name: /유효기간 종료일 입력/ }).press('Enter')
  await page.getByRole('option', { name: '비워둘 수 있음' }).click()
  await page.getByRole('button', { name: '저장', exact: true }).press('Enter')
  await closeToast(page, '보안 설정을 저장했습니다.')
  await openUser(page, '정규직원')
  await expect(end).toHaveAccessibleDescription('비워두면 만료되지 않습니다.')
  await end.fill('')
  await saveUser(page)
  await answer(page, '수정이 완료되었습니다.', '확인')
  expect(await userRow(server, person.id)).toMatchObject({ validTo: null })
})

test('shows administrators the sessions of a user and ends one (rules/users#end-a-session)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('hr')
  const kim = await server.createUser({ name: '김바다' })
  await server.db.transaction().execute((tx) =>
    startSession(tx, {
      userId: kim.id,
      address: '203.0.113.7',
      userAgent: '',
      facts: { placeKnown: false },
    }),
  )
  await page.goto(`/user/detail?userId=${kim.userId}`)
  const card = page.getByRole('region', { name: '로그인한 기기' })
  await card.getByRole('button', { name: '기기 보기', exact: true }).press('Enter')
  const lost = card.getByRole('row').filter({ hasText: '203.0.113.7' })
  await expect(lost).toContainText('처음 접속한 곳')
  await lost.getByRole('button').press('Enter')
  const dialog = page.getByRole('dialog', { name: '기기 로그아웃' })
  await dialog.getByRole('textbox', { name: /^사유/ }).fill('분실 신고')
  await dialog.getByRole('button', { name: '로그아웃', exact: true }).press('Enter')
  await closeToast(page, '기기에서 로그아웃했습니다.')
  await expect(card.getByRole('row').filter({ hasText: '127.0.0.1' })).toBeVisible()
  await expect(lost).toHaveCount(0)
  await expectAccessibleInEveryLook(page)
})

test('explains a session used from elsewhere and redirects to the login (rules/account#session-ended)', async ({
  as,
  server,
}) => {
  const { page, person } = await as('user')
  await page.goto('/main')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
  await server.db
    .updateTable('sessions')
    .set({ movedAt: new Date() })
    .where('userId', '=', person.id)
    .execute()
  // Whichever call hears it first: the page looks whenever it comes into sight.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await answer(page, /다른 주소에서 사용되어 로그아웃/, '확인')
  await expect(page).toHaveURL('/login')
})
