import { expect, test } from 'vitest'
import { listUsers } from '../../../../contract/users.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import { mergeUserCounts } from '../index.ts'

/* The totals of a list without a search are stored, not counted per request. */
const maru = useMaru()

test('updates the counts with every change of users, single and bulk (rules/users#user-search)', async () => {
  const { pool } = maru.database
  const admin = await maru.createUser({ role: 'admin' })
  const check = async () => {
    const kept = `select affiliation_code, role_code, approval_code, sum(n)::int as n from user_counts group by 1, 2, 3 having sum(n) <> 0`
    const counted = `select affiliation_code, role_code, approval_code, count(*)::int from users where withdrawn_at is null group by 1, 2, 3`
    const { rows } = await pool.query(
      `with kept as (${kept}), counted as (${counted})
       (table kept except table counted) union all (table counted except table kept)`,
    )
    expect(rows).toEqual([])
  }
  for (let i = 0; i < 4; i += 1) await maru.createUser({ loginId: `count.${i}`, affiliation: 'BEL002' })
  await check()
  const one = `where login_id = 'count.0'`
  for (const change of [
    `update users set affiliation_code = 'BEL003' ${one}`,
    `update users set role_code = 'AUT002' ${one}`,
    `update users set approval_code = 'MEMAP002' ${one}`,
    `update users set name = '다른이름' ${one}`,
    `update users set withdrawn_at = now() ${one}`,
    `update users set affiliation_code = 'BEL004' ${one}`,
    `update users set withdrawn_at = null ${one}`,
    `update users set affiliation_code = 'BEL005' where login_id like 'count.%'`,
    `delete from users where login_id = 'count.1'`,
  ]) {
    await pool.query(change)
    await check()
  }
  const total = async () => {
    const { data } = await maru.call(listUsers, { affiliationCode: 'BEL005' }, { session: admin.session })
    return data.totalCount
  }
  expect(await total()).toBe(3)
  await Promise.all([mergeUserCounts(pool), mergeUserCounts(pool)])
  await check()
  expect(await total()).toBe(3)
  const { rows } = await pool.query(`select from user_counts where affiliation_code = 'BEL005'`)
  expect(rows).toHaveLength(2)
})
