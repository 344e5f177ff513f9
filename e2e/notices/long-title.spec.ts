import { expect, test } from '../fixtures/test.ts'

const TITLE = '전 지사 정보보호 교육 일정과 협력사 파트너 코드 발급 한도 조정에 관한 상세 안내'

test('keeps a long title apart from its neighbors at 390 px (rules/notices#notice-board, rules/frame#breadcrumbs)', async ({
  as,
  server,
  expectAccessible,
}) => {
  const { page, person } = await as('user')
  const { rows } = await server.pool.query(
    `insert into notices (bullet_code, title, author_id) values ('BE0001', $2, $1) returning id`,
    [person.id, TITLE],
  )
  await page.setViewportSize({ width: 390, height: 800 })
  const badge = page.getByTitle('새글').first()
  for (const path of ['/notice/search', '/main']) {
    await page.goto(path)
    // The letter is in the middle of its box.
    await expect(badge, path).toHaveCSS('display', /grid$/)
    const box = await badge.boundingBox()
    const table = await page
      .getByRole('table')
      .or(page.getByRole('list', { name: '공지사항 조회' }))
      .first()
      .boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThan((table?.x ?? 0) + (table?.width ?? 0))
  }
  await page.goto(`/notice/detail?noticeId=${rows[0].id}`)
  const crumbs = page.getByRole('navigation', { name: '현재 위치' })
  const list = await crumbs.getByRole('link').boundingBox()
  const name = await crumbs.getByText(TITLE).boundingBox()
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThan(name?.x ?? 0)
  await expectAccessible(page)
})
