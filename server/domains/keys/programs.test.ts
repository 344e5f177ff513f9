import { beforeEach, describe, expect, test } from 'vitest'
import { listCodes } from '../../../contract/common.ts'
import { endpoints } from '../../../contract/index.ts'
import {
  createProgram,
  issueKey,
  listPrograms,
  PROGRAMS_MAX,
  revokeProgram,
  rollProgram,
} from '../../../contract/keys.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { programsOf } from '../../../dev/test-kit/programs.ts'
import { sampleOf } from '../../../dev/test-kit/samples.ts'

const maru = useMaru()
const { sql, count, written, passGate, issue, holder, make, listed, expectDead } = programsOf(maru)

let kim: TestUser
beforeEach(async () => {
  kim = await holder()
})

describe('the tokens of programs (rules/keys#program-tokens, design/partners-and-programs#program-tokens)', () => {
  test('shows a token once, stores its hash, and issues keys in the name of its user', async () => {
    const { id, token } = await make(kim)
    expect(token).toMatch(/^maru-program-[\w-]{43}$/)
    const bySession = await maru.call(issueKey, { requestKey: 'device' }, kim)
    const byProgram = await issue(token)
    expect(byProgram.data).toEqual(bySession.data)
    expect((await issue(token, 'another')).status).toBe(200)
    expect(await count('issued_keys where user_id = $1', [kim.id])).toBe(2)

    expect(JSON.stringify(await sql('select p::text as row from program_tokens p'))).not.toContain(token)
    const list = await maru.call(listPrograms, {}, kim)
    expect(list.raw).not.toContain(token)
    expect(list.data.programs).toEqual([
      expect.objectContaining({ programId: id, programName: '단말 설치', state: 'live', endedAt: '' }),
    ])
    expect(JSON.stringify(await sql('select detail from audit_log'))).not.toContain(token)
  })

  test('names the scopes with a call that the caller may make (rules/keys#scopes)', async () => {
    const scopesOf = async (by: TestUser) => (await maru.call(listPrograms, {}, by)).data.grantableScopes
    expect(await scopesOf(kim)).not.toContain('users:read')
    expect(await scopesOf(kim)).toContain('notices:read')
    const hr = await scopesOf(await maru.createUser({ role: 'hr' }))
    expect(hr).toEqual(expect.arrayContaining(['users:read', 'approvals:read']))
    expect(hr).not.toContain('audit:read')
  })

  test('logs user and program of each creation, issue, rotation and end', async () => {
    const { id, token } = await make(kim)
    await issue(token, 'device', { address: '198.51.100.9' })
    await issue(token, 'device', { address: '198.51.100.9' })
    await maru.call(rollProgram, { programId: id, overlapDays: 0 }, kim)
    await maru.call(revokeProgram, { programId: id }, kim)
    const rows = await sql(
      `select action, detail, address from audit_log where actor_id = $1 and action ~ '^(program|key)' order by id`,
      [kim.id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'program.create',
      'program.network',
      'key.issue',
      'key.issue',
      'program.roll',
      'program.revoke',
    ])
    expect(rows[2]).toMatchObject({ detail: { programName: '단말 설치' }, address: '198.51.100.9' })
    const access = await sql('select act, call from access_log where actor_id = $1 order by at', [kim.id])
    expect(access.map(({ call }) => call)).toEqual(
      expect.arrayContaining([createProgram.path, rollProgram.path, revokeProgram.path]),
    )
  })

  test('logs each new network of a token once and lists the last one', async () => {
    const { token } = await make(kim)
    for (const address of ['198.51.100.1', '203.0.113.5', '203.0.113.5', '198.51.100.1'])
      expect((await issue(token, 'device', { address })).status).toBe(200)
    const rows = await sql(
      `select address from audit_log where action = 'program.network' and actor_id = $1 order by id`,
      [kim.id],
    )
    expect(rows).toEqual([{ address: '198.51.100.1' }, { address: '203.0.113.5' }])
    const [row] = await listed(kim)
    // Within a minute the last use is not written with every call.
    expect(row).toMatchObject({ address: '203.0.113.5', lastUsedAt: expect.stringMatching(/^\d{4}-/) })
  })

  test('logs two concurrent first calls from a new network once', async () => {
    const { token } = await make(kim)
    await Promise.all([1, 2, 3].map((n) => issue(token, `d${n}`, { address: '192.0.2.44' })))
    expect(await count(`audit_log where action = 'program.network' and actor_id = $1`, [kim.id])).toBe(1)
  })

  test('refuses a token for every other call, whatever session comes with it', async () => {
    const { token } = await make(kim)
    const before = await written()
    for (const entry of endpoints.filter(({ name }) => name !== 'issueKey')) {
      for (const session of [undefined, kim.session]) {
        const answer = await maru.callRaw(entry.endpoint.path, sampleOf(entry), { token, session })
        expect
          .soft([entry.name, answer.status, answer.code])
          .toEqual([entry.name, 403, 'PROGRAM_TOKEN_SCOPE'])
      }
    }
    expect(await written()).toEqual(before)
    expect((await maru.call(listCodes, { codeGroup: 'COMBEL001' }, { token })).msg).toBe(
      '이 프로그램 토큰으로는 할 수 없는 작업입니다.',
    )
    const english = await maru.call(listCodes, { codeGroup: 'COMBEL001' }, { token, language: 'en' })
    expect(english.msg).toBe('This program token may not make this call.')
    const refused = `audit_log where action = 'refusal.rights' and actor_id = $1`
    await expect.poll(() => count(refused, [kim.id])).toBeGreaterThan(0)
  })

  test('refuse a session, a service token, and the hash stored in the database', async () => {
    const { token } = await make(kim)
    const [{ token_hash: hash }] = await sql('select token_hash from program_tokens order by id desc limit 1')
    for (const wrong of [
      `maru-program-${hash.toString('base64url')}`,
      `maru-program-${kim.session}`,
      `${token}x`,
      token.slice(0, -1),
      'maru-program-',
    ])
      await expectDead(wrong)
    // Not a program's at all: the call asks for the session that is missing.
    const service = await maru.createService()
    for (const other of [service.token, kim.session, token.replace('maru-program-', '')])
      expect((await issue(other)).code).toBe('SESSION_REQUIRED')
    const twice = await maru.call(issueKey, { requestKey: 'x' }, { token: 'maru-program-x', ...kim })
    expect(twice.code).toBe('PROGRAM_TOKEN_REQUIRED')
    expect((await maru.call(issueKey, { requestKey: 'x' }, { session: token })).code).toBe('SESSION_REQUIRED')
  })

  test('keeps issuing by session as before', async () => {
    expect((await maru.call(issueKey, { requestKey: 'by session' }, kim)).status).toBe(200)
  })

  test('limits and partner hold as for a session', async () => {
    const person = await holderOf(maru, await partnerWith(maru, { limits: { total: 1 } }))
    await passGate(person)
    const { token } = await make(person)
    expect((await issue(token)).status).toBe(200)
    expect((await issue(token, 'more')).code).toBe('KEY_LIMIT_TOTAL')
    await sql('update users set partner_id = null where id = $1', [person.id])
    expect((await issue(token, 'more')).code).toBe('NO_PARTNER')
  })

  test('needs the password gate to be made and rolled over, and not to be ended', async () => {
    const { id } = await make(kim)
    await sql('update sessions set password_checked_at = null where user_id = $1', [kim.id])
    const made = await maru.call(createProgram, { programName: '다른 것' }, kim)
    expect(made.code).toBe('PASSWORD_CHECK_REQUIRED')
    expect((await maru.call(rollProgram, { programId: id }, kim)).code).toBe('PASSWORD_CHECK_REQUIRED')
    expect((await maru.call(revokeProgram, { programId: id }, kim)).status).toBe(200)
    expect(await count('program_tokens where user_id = $1', [kim.id])).toBe(1)
  })

  test('requires a partner code and a name unique to the user among active tokens', async () => {
    const { id } = await make(kim)
    const again = () => maru.call(createProgram, { programName: '단말 설치' }, kim)
    expect((await again()).code).toBe('PROGRAM_NAME_TAKEN')
    const lee = await holder()
    await make(lee)
    await maru.call(revokeProgram, { programId: id }, kim)
    expect((await again()).status).toBe(200)
    await sql(`update program_tokens set expires_at = now() - interval '1 second' where user_id = $1`, [
      kim.id,
    ])
    expect((await again()).status).toBe(200)
    const nobody = await maru.createUser()
    await passGate(nobody)
    expect((await maru.call(createProgram, { programName: 'x' }, nobody)).code).toBe('NO_PARTNER')
  })

  test('limits a user to twenty, also with concurrent calls', async () => {
    const ask = (n: number) => maru.call(createProgram, { programName: `프로그램 ${n}` }, kim)
    const answers = await Promise.all(Array.from({ length: PROGRAMS_MAX + 3 }, (_, n) => ask(n)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(PROGRAMS_MAX)
    expect(answers.filter(({ code }) => code === 'PROGRAMS_FULL')).toHaveLength(3)
    expect(await count('program_tokens where user_id = $1 and ended_at is null', [kim.id])).toBe(PROGRAMS_MAX)
  })

  test('hides and protects the tokens of other users', async () => {
    const { id, token } = await make(kim)
    const admin = await maru.createUser({ role: 'admin' })
    await passGate(admin)
    for (const person of [admin, await holder()]) {
      expect(await listed(person)).toEqual([])
      expect((await maru.call(rollProgram, { programId: id }, person)).code).toBe('PROGRAM_NOT_FOUND')
      expect((await maru.call(revokeProgram, { programId: id }, person)).code).toBe('PROGRAM_NOT_FOUND')
    }
    expect((await issue(token)).status).toBe(200)
  })
})
