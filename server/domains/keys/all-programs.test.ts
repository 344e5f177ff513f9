import { beforeEach, describe, expect, test } from 'vitest'
import { endProgram, listAllPrograms } from '../../../contract/keys.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { programsOf } from '../../../dev/test-kit/programs.ts'

const maru = useMaru()
const { sql, holder, make, issue, expectDead, listed } = programsOf(maru)

let admin: TestUser
let kim: TestUser
beforeEach(async () => {
  await sql('delete from program_tokens')
  admin = await maru.createUser({ role: 'admin' })
  kim = await holder()
})

const all = async (keyword = '', by = admin) => {
  const { data } = await maru.call(listAllPrograms, { keyword }, by)
  return data.programs.map(({ programName }) => programName)
}
const end = (programId: string, by = admin, reason = '유출 신고') =>
  maru.call(endProgram, { programId, reason }, by)
const told = async (person: TestUser) =>
  (await maru.call(listNotifications, {}, person)).data.notifications.filter(
    ({ kind }) => kind === 'PROGRAM_ENDED',
  )

describe('the programs of others (rules/keys#programs-of-others)', () => {
  test('lists active programs with their users, the newest first, without tokens', async () => {
    const lee = await holder()
    const { token } = await make(kim, '단말 설치')
    await make(lee, '재고 연동')
    const { id: over } = await make(lee, '끝난 것')
    await sql(`update program_tokens set expires_at = now() where id = $1`, [over])
    await issue(token)
    const answer = await maru.call(listAllPrograms, {}, admin)
    expect(answer.data).toMatchObject({
      totalCount: 2,
      programs: [
        { programName: '재고 연동', userId: lee.userId, lastUsedAt: '', state: 'live' },
        { programName: '단말 설치', userId: kim.userId, lastUsedAt: expect.stringMatching(/^\d{4}-/) },
      ],
    })
    expect(answer.data.programs[0]?.partnerCode).not.toBe('')
    const [row] = await sql(`select encode(token_hash, 'hex') as hash from program_tokens limit 1`)
    expect(answer.raw + JSON.stringify(answer.data)).not.toMatch(new RegExp(`${token}|${row.hash}`))
  })

  test('are found by person, program and partner code, and by nothing else', async () => {
    const lee = await holder()
    await make(kim, '단말 설치')
    await make(lee, '재고 연동')
    const [partner] = await sql(
      'select p.code from partners p join users u on u.partner_id = p.id where u.id = $1',
      [kim.id],
    )
    expect(await all(kim.userId)).toEqual(['단말 설치'])
    expect(await all('재고')).toEqual(['재고 연동'])
    expect(await all(partner.code)).toEqual(['단말 설치'])
    expect(await all(kim.email)).toEqual([])
    expect(await all('%')).toEqual([])
  })

  test('are logged with everyone whom a search counts, whatever page is shown (rules/audit#counted-people)', async () => {
    await make(kim, '단말 설치')
    for (const [keyword, seen] of [
      [kim.userId, [kim.id]],
      ['', []],
    ] as const) {
      const { data, headers } = await maru.call(listAllPrograms, { keyword, page: 9 }, admin)
      expect(data).toEqual({ totalCount: 1, programs: [] })
      const { rows } = await maru.owner.query('select subjects from access_log where request_id = $1', [
        headers['x-request-id'],
      ])
      expect(rows[0].subjects.map(String)).toEqual(seen)
    }
  })

  test('ends a program immediately, logs its user, and notifies the user of the reason', async () => {
    const { id, token } = await make(kim, '단말 설치')
    const { token: other } = await make(kim, '재고 연동')
    expect((await end(id)).status).toBe(200)
    await expectDead(token)
    expect((await issue(other)).status).toBe(200)
    expect(await told(kim)).toMatchObject([{ programName: '단말 설치', reason: '유출 신고' }])
    expect((await listed(kim)).map(({ state }) => state)).toContain('revoked')
    expect(
      await sql(`select actor_id, detail from audit_log where action = 'program.end' and target = $1`, [id]),
    ).toEqual([
      { actor_id: admin.id, detail: { name: '단말 설치', userId: kim.userId, reason: '유출 신고' } },
    ])
    expect((await end(id)).code).toBe('PROGRAM_NOT_FOUND')
    expect(await told(kim)).toHaveLength(1)
    expect(await told(admin)).toEqual([])
  })

  test('require a reason, a recent password and the permission to be ended', async () => {
    const { id, token } = await make(kim)
    expect(await end(id, admin, ' ')).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    await sql(
      `update sessions set created_at = created_at - interval '1 hour', password_checked_at = null where user_id = $1`,
      [admin.id],
    )
    expect((await end(id)).code).toBe('CONFIRMATION_REQUIRED')
    for (const by of [kim, await maru.createUser({ role: 'hr' })]) {
      expect((await end(id, by)).code).toBe('FORBIDDEN')
      expect((await maru.call(listAllPrograms, {}, by)).code).toBe('FORBIDDEN')
    }
    expect((await issue(token)).status).toBe(200)
    expect(await told(kim)).toEqual([])
  })

  test('sends no notification to administrators who end their own program', async () => {
    const both = await holder()
    await sql(`update users set role_code = (select role_code from users where id = $2) where id = $1`, [
      both.id,
      admin.id,
    ])
    const { id } = await make(both)
    expect((await end(id, both)).status).toBe(200)
    expect(await told(both)).toEqual([])
  })
})
