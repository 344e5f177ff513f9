import { holderOf, partnerWith } from '../../dev/test-kit/keys.ts'
import { expect, test } from '../fixtures/test.ts'

test('shows the use of each limit as a gauge with marks and as text (rules/keys#partner-usage)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const maker = { ...server, database: server }
  const partner = await partnerWith(maker, { limits: { day: 12, week: 11, month: 7 } })
  const holder = await holderOf(maker, partner)
  // Issued now, so they count for today, this week and this month.
  await server.pool.query(
    `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name, issued_at)
     select $1, 'gauge-' || n, $2, 'BEL001', '서울특별시', '종로구', now() from generate_series(1, 9) as n`,
    [holder.id, partner.id],
  )
  const { page } = await as('admin')
  await page.goto(`/partner/detail?partnerCode=${partner.code}`)
  const gauges = page.getByRole('region', { name: '키 발급 현황' })
  await expect(gauges.getByRole('term')).toHaveText(['오늘', '이번 주', '이번 달', '전체'])
  // The bar and its marks are for the eye, the words for everybody.
  await expect(gauges).toMatchAriaSnapshot(`
    - region "키 발급 현황":
      - term: 오늘
      - definition: 12개 중 9개 75%
      - term: 이번 주
      - definition: 11개 중 9개 81% 한도의 80% 이상을 사용했습니다.
      - term: 이번 달
      - definition: 7개 중 9개 128% 한도를 모두 사용했습니다.
      - term: 전체
      - definition: 9개 (제한 없음)
  `)
  // Filled as far as the words say, and no further than the end.
  const bars = gauges.locator('svg')
  const widths = await bars.evaluateAll((all) => all.map((bar) => bar.children[1]?.getAttribute('width')))
  expect(widths).toEqual(['75', '81', '100'])
  // The texts of the two marks are below them.
  for (const bar of await bars.all()) {
    const { x, width } = (await bar.boundingBox()) ?? { x: 0, width: 0 }
    const marks = bar.locator('+ span > span')
    await expect(marks).toHaveText(['80%', '100%'])
    const [warning, full] = await marks.evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect()))
    expect(Math.abs((warning?.x ?? 0) + (warning?.width ?? 0) / 2 - (x + width * 0.8))).toBeLessThan(2)
    expect(Math.abs((full?.right ?? 0) - (x + width))).toBeLessThan(2)
  }
  // Rules and words of the page: record.spec.ts. Here are the colours of the gauges.
  await expectAccessible(page, 'colours')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'colours')
})
