import { getSecurity, updateSecurity } from '../../contract/settings.ts'
import { startSession } from '../../server/http/sessions.ts'
import { answer } from '../fixtures/dialogs.ts'
import { expect, settled, test } from '../fixtures/test.ts'

test.describe('the security settings (rules/settings#security)', () => {
  test.afterEach(async ({ server }) => {
    await server.db
      .updateTable('settings')
      .set({ session_limit: 0, session_binding: 'off', admin_networks: [], upload_quota_mb: 10_000 })
      .execute()
  })

  test('are saved by keyboard, keep the person from shutting themselves out, and are closed to others', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
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
    await save.press('Enter')
    // Input while the saved record is read again.
    await page.route(`**${getSecurity.path}`, async (route) => {
      await limit.fill('5')
      await route.continue()
    })
    await answer(page, '보안 설정을 저장했습니다.', '확인')
    const saved = await server.db
      .selectFrom('settings')
      .select(['session_limit', 'admin_networks', 'upload_quota_mb'])
      .executeTakeFirstOrThrow()
    expect(saved.session_limit).toBe(3)
    expect(saved.upload_quota_mb).toBe(500)
    expect(saved.admin_networks[0]).toBe('10.0.0.0/8')
    expect(saved.admin_networks).toHaveLength(2)

    await settled(page)
    await expect(limit).toHaveValue('5')
    await page.unrouteAll({ behavior: 'wait' })

    // Another user saves first.
    await server.pool.query('update settings set session_limit = 7')
    await save.press('Enter')
    await answer(page, /다른 사람이 이 정보를 수정했습니다/, '확인')
    const card = page.getByRole('region', { name: '다른 사용자가 먼저 저장한 내용' })
    await expect(card).toBeFocused()
    // The title of the page is in sight, below the header that stays.
    const header = await page.getByRole('banner').boundingBox()
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.y ?? 0).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0))
    await expect(card.getByRole('definition')).toHaveText(['7'])
    await save.press('Enter')
    await answer(page, '다른 사용자가 먼저 저장한 내용', '네')
    await answer(page, '보안 설정을 저장했습니다.', '확인')
    await expect(card).toHaveCount(0)
    await expectAccessibleInEveryLook(page)

    const { page: theirs } = await as('user')
    await theirs.goto('/setting/security')
    await answer(theirs, '권한이 없습니다.', '확인')
    await expect(theirs).toHaveURL('/main')
  })
})

test('a user who may not save the security settings cannot edit them (rules/settings#security)', async ({
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

test('an administrator sees where somebody is logged in and logs one device out (rules/users#session-ended)', async ({
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
      facts: { place_known: false },
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
  await answer(page, '기기에서 로그아웃했습니다.', '확인')
  await expect(card.getByRole('row').filter({ hasText: '127.0.0.1' })).toBeVisible()
  await expect(lost).toHaveCount(0)
  await expectAccessibleInEveryLook(page)
})

test('a page whose session was used from elsewhere says so and leads to the login (rules/account#session-ended)', async ({
  as,
  server,
}) => {
  const { page, person } = await as('user')
  await page.goto('/main')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('님')
  await server.db
    .updateTable('sessions')
    .set({ moved_at: new Date() })
    .where('user_id', '=', person.id)
    .execute()
  // Whichever call hears it first: the page looks whenever it comes into sight.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await answer(page, /다른 주소에서 사용되어 로그아웃/, '확인')
  await expect(page).toHaveURL('/login')
})
