import { beforeAll, describe, expect, test } from 'vitest'
import { exportUsers, listUsers } from '../../../../contract/users.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
let admin: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', loginId: 'box.admin' })
  const email = 'purchasing@branch.example.com'
  await maru.createUser({ loginId: 'seo.jiwoo', name: '서지우', phoneNumber: '01044556677', email })
  await maru.createUser({ loginId: 'other.one', name: '탁견우', phoneNumber: '01098765432' })
})

const found = async (keyword: string, by = admin, more = {}) => {
  const { data } = await maru.call(listUsers, { keyword, perPage: 100, ...more }, by)
  expect(data.totalCount).toBe(data.users.length)
  return data.users.map(({ userId }) => userId)
}

describe('one box for ID, name, e-mail and phone number (rules/users#search-field)', () => {
  test.each([
    ['seo.ji', 'a part of the ID'],
    ['JIWOO', 'in any case'],
    ['지우', 'a part of the name'],
    ['purchas', 'a part of the e-mail'],
    ['CH.EX', 'and of its domain'],
    ['55667', 'a part of the phone number'],
    ['4455-6677', 'with its hyphens'],
    ['010 4455', 'or spaces'],
    ['44', 'two characters'],
    ['지', 'one character'],
    ['ㅅㅈㅇ', 'the initial consonants of the name'],
    ['ㅈㅇ', 'some of them'],
    ['tjwldn', 'the name in the wrong keyboard layout'],
    ['ㄴ대.ㅓㅑㅈㅐㅐ', 'the ID in the wrong keyboard layout'],
  ])('%s finds by %s', async (keyword) => {
    expect(await found(keyword)).toContain('seo.jiwoo')
    expect(await found(keyword)).not.toContain('other.one')
  })

  test.each(['우지', 'ㅈㅅ', 'ㅅㅇ', 'twd', 'jiwo0', '%', '_', 'u.j', '서지우pur', '우 p'])(
    '%s finds nobody',
    async (keyword) => {
      expect(await found(keyword)).toEqual([])
    },
  )

  test('finds initial consonants that an input method made one letter', async () => {
    const { userId } = await maru.createUser({ name: '갈심술' })
    expect(await found('ㄱㅅㅅ')).toEqual([userId])
    expect(await found('ㄳㅅ')).toEqual([userId])
    await maru.database.pool.query('delete from users where login_id = $1', [userId])
  })

  test('accepts hyphens in the filter by phone number too (rules/users#phone-number)', async () => {
    expect(await found('', admin, { phoneNumber: '4455-66' })).toEqual(['seo.jiwoo'])
  })

  test('narrows together with the other filters, and exports what it finds', async () => {
    expect(await found('jiwoo', admin, { name: '서' })).toEqual(['seo.jiwoo'])
    expect(await found('jiwoo', admin, { name: '탁' })).toEqual([])
    const asked = { keyword: '견우', format: 'csv', reason: '확인' } as const
    const { bytes } = await maru.call(exportUsers, asked, admin)
    expect(bytes.toString().trim().split('\n')).toHaveLength(2)
  })

  test('tells HR of no 관리자', async () => {
    const hr = await maru.createUser({ role: 'hr' })
    expect(await found('box.admin')).toEqual(['box.admin'])
    expect(await found('box.admin', hr)).toEqual([])
  })

  test('takes 3 round trips and reads the index of pairs, not everybody', async () => {
    const { pool } = maru.database
    await pool.query(
      `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
       select 'crowd.' || n, '-', '사람' || n, '-', '010' || lpad(n::text, 8, '0'), 'crowd' || n || '@example.com', 'BEL001',
         'AUT003', 'MEMAP001' from generate_series(1, 5000) n`,
    )
    await maru.owner.query('analyze users')
    const asked = await roundTrips(pool, () => found('견우'))
    expect(asked).toHaveLength(3)
    const statement = asked.find((text) => text.includes('pairs_of')) ?? ''
    expect(statement).not.toBe('')
    const keyword = ["'{견우}'", "'%견우%'"]
    const plan = await pool.query<{ 'QUERY PLAN': string }>(
      `explain ${statement.replaceAll(/\$\d+/g, (name, at: number) =>
        statement.slice(at + name.length).startsWith('::text[]')
          ? (keyword[0] ?? '')
          : statement.slice(0, at).endsWith('like ')
            ? (keyword[1] ?? '')
            : '100',
      )}`,
    )
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines).toContain('users_pairs')
    expect(lines).not.toContain('Seq Scan on users')
    const initials = await pool.query<{ 'QUERY PLAN': string }>(
      `explain select from users u where pairs_of(initials_of(u.name)) @> '{ㅌㄱ,ㄱㅇ}'`,
    )
    expect(JSON.stringify(initials.rows)).toContain('users_initials')
  })
})
