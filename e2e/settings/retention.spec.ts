import { closeToast } from '../fixtures/dialogs.ts'
import { expect, test } from '../fixtures/test.ts'

test('shows and changes retention periods with reasons and limits (rules/retention#settings)', async ({
  as,
  server,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  await server.pool.query(`update settings set retention = '{}'`)
  await page.goto('/main')
  await page.getByRole('button', { name: '설정', exact: true }).press('Enter')
  await page.getByRole('link', { name: '보관과 파기', exact: true }).press('Enter')
  await expect(page).toHaveURL('/setting/retention')
  const periods = page.getByRole('table', { name: '보관 기간 목록', exact: true })
  const trail = periods.getByRole('row', { name: /^감사 기록/ })
  await expect(trail).toContainText('60개월')
  await expect(trail).toContainText('안전성 확보조치 기준')
  await expect(periods.getByRole('row', { name: /^탈퇴한 계정/ })).toContainText('익명 처리')
  const elsewhere = page.getByRole('table', { name: '따로 정해진 보관 기간 목록', exact: true })
  await expect(elsewhere.getByRole('row', { name: /^데이터베이스의 접속기록/ })).toContainText('24개월')
  // A phone shows the periods without scrolling sideways, and unfolds the reasons.
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(trail.getByRole('cell', { name: /60개월 · 삭제/ })).toBeInViewport({ ratio: 1 })
  await trail.getByText('기간의 근거').click()
  await expect(trail.getByText(/안전성 확보조치 기준/)).toBeVisible()
  await page.setViewportSize(size)

  await page.getByRole('button', { name: '보관 기간 변경', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: '보관 기간 변경', exact: true })
  const months = dialog.getByRole('textbox', { name: '감사 기록', exact: true })
  await months.fill('35')
  await months.press('Enter')
  await expect(dialog).toContainText('36~120 사이의 숫자')
  await expectAccessible(page)
  await months.fill('48')
  await dialog
    .getByRole('textbox', { name: '개인정보 보호책임자', exact: true })
    .fill('개인정보 보호책임자 강보호')
  await dialog.getByRole('button', { name: '저장', exact: true }).press('Enter')
  await closeToast(page, '보관 기간을 저장했습니다.')
  await expect(trail).toContainText('48개월')
  await expect(
    page.getByText('개인정보 보호책임자: 개인정보 보호책임자 강보호', { exact: true }),
  ).toBeVisible()
  await server.pool.query(`update settings set retention = '{}'`)
  await expectAccessibleInEveryLook(page)
})

test('lists erasures by day and prints each day or month as a certificate (rules/retention#erasures, rules/retention#certificate)', async ({
  as,
  server,
  expectAccessibleInEveryLook,
}) => {
  const { page } = await as('admin')
  await server.pool.query(`insert into erasures (at, kind, method, kept_for, n) values
    ('2026-03-02T10:00:00+09:00', 'withdrawnAccounts', 'ANONYMIZED', 30, 1203),
    ('2026-03-20T10:00:00+09:00', 'notifications', 'DELETED', 90, 5)`)
  const sumOf = async (day: string) => {
    const { rows } = await server.pool.query<{ n: number }>(
      `select sum(n)::int as n from erasures where at >= '2026-03-01' and at < $1`,
      [day],
    )
    return `${(rows[0]?.n ?? 0).toLocaleString('en-US')}건`
  }
  const ofDay = await sumOf('2026-03-10')
  const ofMonth = await sumOf('2026-04-01')
  await page.goto('/setting/retention')
  const days = page.getByRole('table', { name: '파기 내역 목록', exact: true })
  await expect(days.getByRole('row', { name: /^1 2026-03-02/ })).toContainText(ofDay)
  await days.getByRole('link', { name: '2026-03-02 파기 확인서 열기', exact: true }).press('Enter')
  await expect(page).toHaveURL('/setting/erasure?erasedFrom=2026-03-02&erasedTo=2026-03-02')
  const erased = page.getByRole('table', { name: '파기한 개인정보', exact: true })
  await expect(erased.getByRole('row', { name: /^탈퇴한 계정/ })).toContainText(ofDay)
  await page.getByRole('link', { name: '이 달 전체 보기', exact: true }).press('Enter')
  await expect(page).toHaveURL('/setting/erasure?erasedFrom=2026-03-01&erasedTo=2026-03-31')
  await expect(erased.getByRole('row', { name: /^알림/ })).toBeVisible()

  const printed = page.getByRole('article')
  await expect(printed).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(printed.getByRole('heading', { name: '개인정보 파기 확인서', exact: true })).toBeVisible()
  await expect(printed).toContainText('개인정보 보호법 제21조제1항')
  await expect(printed).toContainText(ofMonth)
  await expect(printed).toContainText('확인자 (서명)')
  await expect(page.getByRole('button', { name: '확인서 인쇄', exact: true })).toBeHidden()
  await page.emulateMedia({ media: null })
  await expectAccessibleInEveryLook(page)
})
