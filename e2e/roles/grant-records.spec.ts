import type { Page } from '@playwright/test'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { choose, openUser, save, search, select } from '../users/steps.ts'

const REASON = '인사팀 업무 인수'
const question = (page: Page) => page.getByRole('alertdialog', { name: '권한 부여 사유' })

/** Enters the reason and both names, and says yes. */
async function giveReason(page: Page): Promise<void> {
  for (const [name, text] of Object.entries({
    '권한 부여 사유': REASON,
    '요청한 사람': '박팀장',
    '승인한 사람': '최이사',
  }))
    await question(page).getByRole('textbox', { name }).fill(text)
  await question(page).getByRole('button', { name: '네' }).click()
}

const reasonsOf = async ({ pool }: WorkerMaru, target: string) =>
  (
    await pool.query<{ reason: string }>(
      `select detail ->> 'grantReason' as reason from audit_log where target = $1 and detail ? 'grantReason'`,
      [target],
    )
  ).rows.map(({ reason }) => reason)

test.beforeEach(async ({ server }) => {
  await server.pool.query(`update settings set grant_reasons = 'required'`)
})
test.afterEach(async ({ server }) => {
  await server.pool.query(`update settings set grant_reasons = 'optional'`)
  await server.pool.query(`delete from roles where code = 'AUT960'`)
})

test('asks for the required reason of a role and of a function (rules/roles#grant-records)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const code = await server.createPartner({ affiliation: 'BEL001' })
  const person = await server.createUser({
    name: '구사유',
    partner: code,
    validFrom: '2026-01-01',
    validTo: '2099-12-31',
  })
  await server.pool.query(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT960', '사유 담당', 'Reasons', 60)`,
  )
  const { page } = await as('admin')
  await openUser(page, '구사유')
  await choose(page, '권한', '인사 관리자')
  await save(page)
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(question(page).getByText('필수 입력 항목입니다.')).toHaveCount(3)
  await expect(question(page).getByRole('textbox', { name: '권한 부여 사유' })).toBeFocused()
  await expectAccessible(page)
  await giveReason(page)
  await answer(page, '수정이 완료되었습니다.', '확인')
  expect(await reasonsOf(server, person.userId)).toEqual([REASON])

  await page.goto('/role/manage')
  const box = page.getByRole('checkbox', { name: '사유 담당: 파트너 관리' })
  await box.click()
  await answer(page, /허용/, '네')
  await question(page).getByRole('button', { name: '아니오' }).click()
  await expect(box).not.toBeChecked()
  await box.click()
  await answer(page, /허용/, '네')
  await giveReason(page)
  await expect(box).toBeChecked()
  expect(await reasonsOf(server, 'AUT960')).toEqual([REASON])
})

test('asks for the required reason of approvals and bulk changes, over their dialogs (rules/roles#grant-records)', async ({
  as,
  server,
}) => {
  await server.db.deleteFrom('approvalRequests').where('state', '=', 'waiting').execute()
  const code = await server.createPartner({ affiliation: 'BEL004' })
  await server.pool.query(
    `update codes set default_partner_id = (select id from partners where code = $1) where code = 'BEL004'`,
    [code],
  )
  const person = await server.createUser({ name: '심사유', asked: true, affiliation: 'BEL004' })
  const { page } = await as('admin')
  await page.goto('/user/approval')
  await page.getByRole('checkbox', { name: '심사유 선택', exact: true }).click()
  await page.getByRole('button', { name: '승인', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '승인 요청 승인' })
  await expect(select(dialog, '파트너 코드 \\(.*\\)')).toContainText(code)
  await choose(dialog, '권한', '인사 관리자')
  await dialog.getByRole('button', { name: '승인' }).click()
  await question(page).getByRole('button', { name: '아니오' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: '승인' }).click()
  await giveReason(page)
  await expect(page.getByText('1건을 승인했습니다.').first()).toBeVisible()
  expect(await reasonsOf(server, person.userId)).toEqual([REASON])

  await page.goto('/user/search')
  await search(page, '심사유', 1)
  await page.getByRole('checkbox', { name: '심사유 선택' }).click()
  await page.getByRole('button', { name: '권한 변경', exact: true }).click()
  const bulk = page.getByRole('dialog', { name: '권한 변경' })
  await choose(bulk, '권한', '관리자')
  await bulk.getByRole('button', { name: '확인하기' }).click()
  await bulk.getByRole('button', { name: '1명 변경' }).click()
  await giveReason(page)
  await closeToast(page, '1명의 권한을 변경했습니다.')
  expect(await reasonsOf(server, person.userId)).toEqual([REASON, REASON])
})
