import { ROLE } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'
import { deleteAddedAffiliations } from '../affiliations/steps.ts'
import { expect, test } from '../fixtures/test.ts'
import { select } from '../users/steps.ts'

test.afterEach(({ server }) => deleteAddedAffiliations(server))

test.beforeEach(async ({ server }) => {
  // Only the first page of requests is shown.
  await server.db.deleteFrom('approvalRequests').where('state', '=', 'waiting').execute()
})

test('approves a request in three clicks for a year with the default code (rules/approvals#approve)', async ({
  as,
  server,
}) => {
  const code = await server.createPartner({ affiliation: 'BEL004' })
  await server.pool.query(
    `update codes set default_partner_id = (select id from partners where code = $1) where code = 'BEL004'`,
    [code],
  )
  const person = await server.createUser({ name: '한해신청', asked: true, affiliation: 'BEL004' })
  const { page } = await as('admin')
  await page.goto('/user/approval')
  await page.getByRole('checkbox', { name: '한해신청 선택', exact: true }).click()
  await page.getByRole('button', { name: '승인', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '승인 요청 승인' })
  // The form refuses an approval before the codes have loaded.
  await expect(select(dialog, '파트너 코드 \\(.*\\)')).toContainText(code)
  await dialog.getByRole('button', { name: '승인' }).click()
  await expect(page.getByText('1건을 승인했습니다.').first()).toBeVisible()
  const { rows } = await server.pool.query(
    `select approval_code, role_code, (select code from partners where id = partner_id) as code,
       valid_to = valid_from + interval '1 year' - interval '1 day' as is_a_year,
       valid_from = (now() at time zone 'Asia/Seoul')::date as is_from_today
     from users where id = $1`,
    [person.id],
  )
  expect(rows).toEqual([
    { approval_code: APPROVAL.approved, role_code: ROLE.user, code, is_a_year: true, is_from_today: true },
  ])
})

test('marks expired partner codes and preselects none (rules/partners#partners-of-an-affiliation)', async ({
  as,
  server,
}) => {
  const affiliation = 'BEL501'
  await server.pool.query(
    `insert into codes (group_code, code, name_ko, name_en, sort_order) values ('COMBEL001', $1, '만료지사', 'Expired', 501)`,
    [affiliation],
  )
  const expired = await server.createPartner({ code: 'AAA-EXPIRED', affiliation })
  await server.pool.query(`update partners set valid_to = current_date - 2 where code = $1`, [expired])
  await server.createUser({ name: '만료코드', asked: true, affiliation })
  const { page } = await as('admin')
  const dialog = page.getByRole('dialog', { name: '승인 요청 승인' })
  const partner = select(dialog, '파트너 코드 \\(.*\\)')
  async function open(): Promise<void> {
    await page.goto('/user/approval')
    await page.getByRole('checkbox', { name: '만료코드 선택', exact: true }).click()
    await page.getByRole('button', { name: '승인', exact: true }).click()
    await expect(partner).toBeEnabled()
    await partner.press('Enter')
  }

  await open()
  await expect(page.getByRole('option')).toHaveText([`${expired} (만료)`])
  await page.keyboard.press('Escape')
  await expect(partner).toContainText('선택')

  const valid = await server.createPartner({ code: 'ZZZ-VALID', affiliation })
  await server.pool.query(
    `update codes set default_partner_id = (select id from partners where code = $1) where code = $2`,
    [expired, affiliation],
  )
  await open()
  await expect(page.getByRole('option')).toHaveText([valid, `${expired} (만료)`])
  await page.keyboard.press('Escape')
  await expect(partner).toContainText('선택')
})

test('searches a long list of partner codes by keyboard (rules/frame#long-lists)', async ({
  as,
  server,
  expectAccessible,
}) => {
  for (let at = 10; at < 31; at += 1)
    await server.createPartner({ code: `SEARCHED-${at}`, affiliation: 'BEL005' })
  await server.createUser({ name: '목록검색', asked: true, affiliation: 'BEL005' })
  const { page } = await as('admin')
  await page.goto('/user/approval')
  await page.getByRole('checkbox', { name: '목록검색 선택', exact: true }).click()
  await page.getByRole('button', { name: '승인', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '승인 요청 승인' })
  const partner = select(dialog, '파트너 코드 \\(.*\\)')
  // A key on a list that is still loading goes to the field with the focus.
  await expect(partner).toBeEnabled()
  await partner.press('Enter')
  const field = page.getByRole('combobox', { name: '목록에서 검색' })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await field.fill('searched-2')
  await expect(page.getByRole('option')).toHaveCount(10)
  await field.fill('없는 코드')
  await expect(page.getByText('선택할 항목이 없습니다.')).toBeVisible()
  await field.fill('ched-27')
  await expect(page.getByRole('option')).toHaveText(['SEARCHED-27'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(partner).toContainText('SEARCHED-27')
  await expect(partner).toBeFocused()
  await expect(dialog).toBeVisible()
  await partner.press('ArrowDown')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(partner).toBeFocused()
})
