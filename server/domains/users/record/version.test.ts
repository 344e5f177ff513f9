import { beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { getUser, updateUser } from '../../../../contract/users.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let target: TestUser

beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  target = await maru.createUser({ validFrom: '2026-01-01', validTo: '2099-12-31' })
})

/** The record as the person's form has it: what comes back with a save. */
async function open(by: TestUser, userId: string): Promise<InputOf<typeof updateUser>> {
  const { data } = await maru.call(getUser, { userId }, by)
  const { affiliationCode, position, name, phoneNumber, email, version } = data
  const basic = { userId: data.userId, affiliationCode, position, name, phoneNumber, email, version }
  return { originalUserId: data.userId, ...basic }
}
const save = (by: TestUser, input: InputOf<typeof updateUser>) => maru.call(updateUser, input, by)
const rowOf = async (id: string) => (await sql('select * from users where id = $1', [id])).rows[0]

describe('two administrators who edit one user (rules/users#concurrent-edits)', () => {
  test('answers RECORD_CHANGED to the second and keeps the changes of the first', async () => {
    const [first, second] = [await open(admin, target.userId), await open(hr, target.userId)]
    expect((await save(admin, { ...first, position: '부장' })).status).toBe(200)
    const before = await rowOf(target.id)
    expect(await save(hr, { ...second, name: '새이름' })).toMatchObject({
      status: 400,
      code: 'RECORD_CHANGED',
    })
    expect(await rowOf(target.id)).toEqual(before)
    const again = await open(hr, target.userId)
    expect((await save(hr, { ...again, name: '새이름' })).status).toBe(200)
    expect(await rowOf(target.id)).toMatchObject({ position: '부장', name: '새이름' })
  })

  test('only one of ten simultaneous saves succeeds', async () => {
    const form = await open(admin, target.userId)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => save(i % 2 ? admin : hr, { ...form, position: `직급${i}` })),
    )
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      'OK',
      ...Array<string>(9).fill('RECORD_CHANGED'),
    ])
  })

  test.each(['position', 'name', 'login_id', 'valid_to', 'role_code', 'approval_code'])(
    'makes a new version for any change of %s',
    async (column) => {
      const form = await open(admin, target.userId)
      const values: Record<string, string> = {
        login_id: `id.${target.userId}`,
        valid_to: '2098-01-01',
        role_code: 'AUT002',
        approval_code: 'MEMAP002',
      }
      await sql(`update users set ${column} = $2 where id = $1`, [target.id, values[column] ?? '바뀜'])
      const originalUserId = column === 'login_id' ? `id.${target.userId}` : target.userId
      expect((await save(admin, { ...form, originalUserId })).code).toBe('RECORD_CHANGED')
    },
  )

  test('makes no new version for a login, a session or a new password', async () => {
    const form = await open(admin, target.userId)
    await sql(
      `update users set last_login_at = now(), password_hash = 'x', updated_at = now() where id = $1`,
      [target.id],
    )
    expect((await save(admin, form)).status).toBe(200)
  })

  test('conflicts on the own page with edits of that card, not with admin decisions', async () => {
    await sql('update sessions set password_checked_at = now() where user_id = $1', [target.id])
    const form = await open(target, '')
    await sql(`update users set valid_to = '2098-01-01' where id = $1`, [target.id])
    expect((await save(target, { ...form, position: '차장' })).status).toBe(200)
    expect((await save(target, { ...form, position: '과장' })).code).toBe('RECORD_CHANGED')
  })

  test('overwrites without a version', async () => {
    const { version: _, ...form } = await open(admin, target.userId)
    await sql(`update users set position = '바뀜' where id = $1`, [target.id])
    expect((await save(admin, form)).status).toBe(200)
  })
})
