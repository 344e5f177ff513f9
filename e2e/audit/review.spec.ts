import { answer, closeToast } from '../fixtures/dialogs.ts'
import { expect, test, type WorkerMaru } from '../fixtures/test.ts'
import { setLook } from '../fixtures/korean-text.ts'

/** Removes the reviews, so that no other test's pages show them. */
async function removeReviews({ pool }: WorkerMaru): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query('delete from rights_review_items')
    await client.query('delete from rights_reviews')
    await client.query('commit')
  } finally {
    client.release()
  }
}

test.describe('the review of a quarter', () => {
  test.beforeEach(async ({ server }) => removeReviews(server))
  test.afterEach(async ({ server }) => removeReviews(server))

  test('is taken, decided, signed and printed (rules/audit#review, rules/audit#review-decisions, rules/audit#review-report)', async ({
    as,
    server,
    expectAccessibleInEveryLook,
  }) => {
    const leaver = await server.createUser({ role: 'hr', name: '검토대상' })
    await server.createUser({ role: 'admin', name: '동료관리자' })
    const { page } = await as('admin', { name: '권한검토자' })
    await page.goto('/right/review')
    await expect(page).toHaveTitle('권한 검토 | 마루')
    const quarter = page.getByRole('table', { name: '분기별 권한 검토 목록' }).getByRole('row').nth(1)
    await expect(quarter).toContainText('검토 가능')
    await quarter.getByRole('link', { name: /분기 검토 열기$/ }).click()
    await expect(page).toHaveURL(/\/right\/quarter\?quarter=\d{4}-Q[1-4]$/)

    await page.getByRole('button', { name: '권한 가져오기', exact: true }).click()
    await closeToast(page, /검토 대상은 \d+건입니다/)
    const roles = page.getByRole('region', { name: '권한 그룹', exact: true })
    const people = page.getByRole('region', { name: '권한이 있는 사용자' })
    await expect(roles.getByRole('row', { name: '인사 관리자' })).toContainText('미결정')
    const narrow = people.getByRole('textbox', { name: '이름 또는 아이디', exact: true })
    // Somebody else has to decide about oneself.
    await narrow.fill('권한검토자')
    const own = people.getByRole('row', { name: '권한검토자' })
    await expect(own).toContainText('다른 담당자가 검토')
    await expect(own.getByRole('checkbox')).toHaveCount(0)
    const sign = page.getByRole('button', { name: '검토 완료' })
    await expect(sign).toBeDisabled()
    await expectAccessibleInEveryLook(page)
    await setLook(page, '한국어')

    // A withdrawn role is gone immediately.
    await narrow.fill('아무도 아닌 사람')
    await expect(people).toContainText('조건에 맞는 사용자가 없습니다.')
    await narrow.fill('검토대상')
    const found = people.getByRole('row', { name: '검토대상' })
    await found.getByRole('checkbox').check()
    await people.getByRole('button', { name: '회수' }).click()
    const withdrawal = page.getByRole('dialog', { name: '권한 회수' })
    await withdrawal.getByRole('button', { name: '회수' }).click()
    await expect(withdrawal).toContainText('필수')
    await withdrawal.getByRole('textbox', { name: '회수하는 이유' }).fill('부서를 옮김')
    await withdrawal.getByRole('button', { name: '회수' }).click()
    await closeToast(page, '권한을 회수했습니다.')
    await expect(found).toContainText('부서를 옮김')
    await expect(found.getByRole('checkbox')).toHaveCount(0)
    const { rows } = await server.pool.query('select role_code from users where id = $1', [leaver.id])
    expect(rows).toEqual([{ role_code: 'AUT003' }])
    const openOnly = people.getByRole('checkbox', { name: '미결정만', exact: true })
    await openOnly.check()
    await expect(found).toHaveCount(0)
    await openOnly.uncheck()
    await expect(found).toBeVisible()
    await narrow.fill('')

    for (const card of [roles, people]) {
      await card.getByRole('checkbox', { name: /모두 선택$/ }).check()
      await card.getByRole('button', { name: '유지' }).click()
      const dialog = page.getByRole('dialog', { name: '권한 유지' })
      await dialog.getByRole('textbox', { name: '의견' }).fill('업무에 필요함')
      await dialog.getByRole('button', { name: '유지' }).click()
      await closeToast(page, '유지하기로 결정했습니다.')
      await expect(card.getByRole('cell', { name: '업무에 필요함' }).first()).toBeVisible()
    }
    await expect(sign).toBeDisabled()
    // As the colleague does on their own page.
    await server.pool.query(`update rights_review_items set decision = 'CONFIRMED' where decision = ''`)
    await page.reload()

    await sign.click()
    const dialog = page.getByRole('dialog', { name: '검토 완료' })
    await dialog.getByRole('textbox', { name: '종합 의견' }).fill('모두 적정함')
    await dialog.getByRole('button', { name: '검토 완료' }).click()
    await closeToast(page, '검토를 마쳤습니다.')
    await expect(page.getByRole('region', { name: '검토 개요' })).toContainText('권한검토자')
    await expect(sign).toHaveCount(0)
    await expect(page.getByRole('button', { name: '다시 가져오기' })).toHaveCount(0)
    await expect(people.getByRole('checkbox')).toHaveCount(0)

    // Print shows only the report, with all remarks.
    await page.emulateMedia({ media: 'print' })
    const report = page.getByRole('article')
    for (const text of [
      '분기별 권한 검토 보고서',
      '부서를 옮김',
      '업무에 필요함',
      '모두 적정함',
      '일반 사용자',
    ])
      await expect(report).toContainText(text)
    await expect(people).toBeHidden()
    await page.emulateMedia({ media: 'screen' })
    await expect(report).toBeHidden()
  })

  test('links to the permission changes and is hidden without the permission for roles (rules/audit#rights, rules/audit#reviews)', async ({
    as,
  }) => {
    const { page } = await as('admin')
    await page.goto('/right/review')
    await page.getByRole('link', { name: '권한 부여·변경·말소 기록 보기' }).click()
    await expect(page).toHaveURL('/audit/search?action=rights')
    await expect(page.getByRole('heading', { name: '감사 기록 조회', level: 1 })).toBeVisible()
    await expect(page.getByText('권한 부여·변경·말소 전체').first()).toBeVisible()

    const { page: hrPage } = await as('hr')
    await hrPage.goto('/right/review')
    await answer(hrPage, '권한이 없습니다.', '확인')
    await expect(hrPage).toHaveURL('/main')
  })
})
