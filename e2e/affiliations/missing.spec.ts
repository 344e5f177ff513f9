import type { Page } from '@playwright/test'
import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, PASSWORD, test } from '../fixtures/test.ts'
import { choose, completeUser, select } from '../users/steps.ts'
import { deleteAddedAffiliations } from './steps.ts'

test.afterEach(({ server }) => deleteAddedAffiliations(server))

async function openOwnPage(page: Page): Promise<void> {
  await page.goto('/mypage')
  const gate = page.getByRole('region', { name: '비밀번호 확인' })
  await gate.getByLabel('비밀번호', { exact: true }).fill(PASSWORD)
  await gate.getByRole('button', { name: '확인', exact: true }).click()
}

test('creates a missing record over the form or names who may, then preselects it (rules/affiliations#missing)', async ({
  as,
  server,
}) => {
  await server.pool.query(
    `insert into codes (group_code, code, name_ko, name_en, sort_order) values ('COMBEL001', 'BEL500', '세종지사', 'Sejong', 500)`,
  )
  const { page: hr } = await as('hr')
  await hr.goto('/user/insert')
  await choose(hr, '소속', '세종지사')
  await expect(hr.getByText('파트너 코드는 ‘관리자’ 권한이 있는 사용자가 만들 수 있습니다.')).toBeVisible()

  const { page } = await as('admin')
  await page.goto('/user/insert')
  await page.getByLabel('이름', { exact: true }).fill('김새봄')
  await choose(page, '소속', '세종지사')
  await page.getByRole('button', { name: '파트너 코드 만들기' }).click()
  const maker = page.getByRole('dialog', { name: '파트너 코드 만들기' })
  await maker.getByLabel('파트너 코드', { exact: true }).fill('sejong-1')
  await choose(maker, '시/도', '세종특별자치시')
  await choose(maker, '시/군/구', '세종특별자치시')
  await maker.getByRole('button', { name: '저장' }).click()
  await closeToast(page, '파트너 코드를 만들었습니다: SEJONG-1')
  await expect(select(page, '파트너 코드')).toContainText('SEJONG-1')
  await expect(page.getByLabel('이름', { exact: true })).toHaveValue('김새봄')

  // An affiliation that the list lacks is added over the form, too, and its own partner code is chosen by itself.
  await page.getByRole('button', { name: '소속 추가' }).click()
  const adding = page.getByRole('dialog', { name: '소속 추가' })
  await adding.getByLabel('한글 이름').fill('강릉지사')
  await adding.getByLabel('파트너 코드', { exact: true }).fill('gangneung')
  await choose(adding, '시/도', '강원특별자치도')
  await choose(adding, '시/군/구', '강릉시')
  await adding.getByRole('button', { name: '저장' }).click()
  await closeToast(page, '소속을 추가했습니다: 강릉지사')
  await expect(select(page, '소속')).toContainText('강릉지사')
  await expect(select(page, '파트너 코드')).toContainText('GANGNEUNG')
  await expect(page.getByLabel('이름', { exact: true })).toHaveValue('김새봄')
})

test('requests another affiliation on the own page and decides it among the requests (rules/users#affiliation-change)', async ({
  as,
  server,
}) => {
  await server.db.deleteFrom('approvalRequests').where('state', '=', 'waiting').execute()
  const { rows } = await server.pool.query<{ code: string }>(
    `select p.code from codes c join partners p on p.id = c.default_partner_id where c.code = 'BEL002'`,
  )
  const { page, person } = await as('user', { name: '옮길사람' })
  const { partnerCode } = await completeUser(server)
  await server.pool.query(
    `update users set partner_id = (select id from partners where code = $2) where id = $1`,
    [person.id, partnerCode],
  )
  await openOwnPage(page)
  await page.getByLabel('직급').fill('과장')
  await choose(page, '소속', '부산지사')
  await expect(page.getByText('소속은 관리자가 승인한 후 변경됩니다.')).toBeVisible()
  await page.getByRole('button', { name: '저장', exact: true }).click()
  await answer(page, '소속 변경 요청', '네')
  await answer(page, /수정이 완료되었습니다/, '확인')
  await expect(page.getByRole('status').filter({ hasText: '소속 변경 요청(부산지사)이' })).toBeVisible()
  await expect(select(page, '소속')).toContainText('본사')
  await expect(page.getByLabel('직급')).toHaveValue('과장')

  const { page: theirs } = await as('hr')
  await theirs.goto('/user/approval')
  await theirs.getByRole('checkbox', { name: '옮길사람 선택' }).check()
  await expect(theirs.getByRole('row', { name: /옮길사람/ })).toContainText('본사 → 부산지사')
  await theirs.getByRole('button', { name: '승인', exact: true }).click()
  const dialog = theirs.getByRole('dialog', { name: '소속 변경 승인' })
  await expect(select(dialog, '파트너 코드 \\(부산지사\\)')).toContainText(rows[0]?.code ?? '')
  await dialog.getByRole('button', { name: '승인' }).click()
  await closeToast(theirs, /1건을 승인했습니다/)
  await expect(theirs.getByRole('row', { name: /옮길사람/ })).toHaveCount(0)

  await openOwnPage(page)
  await expect(select(page, '소속')).toContainText('부산지사')
})
