import { expect, test } from 'vitest'
import { listNotices } from '../../../contract/notices.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

const maru = useMaru()

/** Numbers from here down to 1, but for some. */
function down(from: number, ...left: number[]): string[] {
  const all = Array.from({ length: from }, (_, i) => from - i)
  return all.filter((n) => !left.includes(n)).map(String)
}

test('counts only visible notices, pages without gaps and shows pins first (rules/notices#notice-board, rules/notices#pins)', async () => {
  const { pool } = maru.database
  const [author, other, admin] = await Promise.all([
    maru.createUser(),
    maru.createUser(),
    maru.createUser({ role: 'admin' }),
  ])
  await pool.query(
    `insert into notices (bullet_code, title, memo, author_id, published_at, pinned_until)
     select 'BE0001', 'notice ' || n, '', $1, now() + (n - 20) * interval '1 hour' - interval '1 minute',
       case when n in (3, 7, 22) then date '2999-12-31' when n = 9 then date '2001-01-01' end
     from generate_series(1, 23) as n`,
    [author.id],
  )
  const board = async (session: string, pinnedFirst: boolean) => {
    const titles: string[] = []
    for (let page = 1; ; page += 1) {
      const { data } = await maru.call(listNotices, { page, perPage: 4, pinnedFirst }, { session })
      if (data.notices.length === 0) return { total: data.totalCount, titles }
      titles.push(...data.notices.map(({ title }) => title.replace('notice ', '')))
    }
  }
  // Three are scheduled: their author and notice managers see them, but they do not count as pinned yet.
  for (const { session } of [author, admin]) {
    expect(await board(session, false)).toEqual({ total: 23, titles: down(23) })
    expect(await board(session, true)).toEqual({ total: 23, titles: ['7', '3', ...down(23, 7, 3)] })
    // Home's first page of what is published, to those who see more.
    const { data } = await maru.call(listNotices, { perPage: 4, scheduled: false }, { session })
    expect([data.totalCount, data.notices.map(({ rowNumber }) => rowNumber)]).toEqual([20, [20, 19, 18, 17]])
  }
  expect(await board(other.session, true)).toEqual({ total: 20, titles: ['7', '3', ...down(20, 7, 3)] })

  await pool.query(`delete from notices where title in ('notice 3', 'notice 4', 'notice 23')`)
  expect(await board(admin.session, true)).toEqual({ total: 20, titles: ['7', ...down(22, 7, 3, 4)] })
  expect((await board(other.session, false)).total).toBe(18)
})
