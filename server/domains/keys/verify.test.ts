import { describe, expect, test } from 'vitest'
import { getPartnerUsage, issueKey, revokeKey, revokeKeys, verifyKey } from '../../../contract/keys.ts'
import { holderOf, partnerWith, type PartnerSettings } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

let now = new Date('2026-11-18T12:00:00+09:00')
const maru = useMaru({}, { clock: () => now })
let service: string | undefined

async function verify(issuedKey: string) {
  service ??= (await maru.createService()).token
  const { status, data } = await maru.call(verifyKey, { issuedKey }, { token: service })
  expect(status).toBe(200)
  return data
}

async function issued(settings: PartnerSettings = {}) {
  const partner = await partnerWith(maru, settings)
  const person = await holderOf(maru, partner)
  const { data } = await maru.call(issueKey, { requestKey: 'device' }, { session: person.session })
  return { partner, person, ...data }
}

const sql = (text: string, ...values: string[]) => maru.database.pool.query(text, values)

describe('verifying a key (rules/keys#verify-key, design/keys#derived-keys)', () => {
  test('answers valid and the keyId for an issued key', async () => {
    const { keyId, issuedKey } = await issued()
    expect(await verify(issuedKey)).toEqual({ state: 'valid', keyId })
  })

  test('answers unknown for a key that is made up, altered, another’s or no key at all', async () => {
    const [a, b] = [await issued(), await issued()]
    const mac = a.issuedKey.split('.')[2] ?? ''
    const last = mac.endsWith('A') ? 'B' : 'A'
    for (const text of [
      'x',
      a.keyId,
      mac,
      `MARU1.${b.keyId}.${mac}`,
      `MARU1.999999999.${mac}`,
      `MARU1.999999999999999999.${mac}`,
      `MARU1.0${a.keyId}.${mac}`,
      `MARU2.${a.keyId}.${mac}`,
      a.issuedKey.slice(0, -1) + last,
      a.issuedKey.toLowerCase(),
      `${a.issuedKey}=`,
      `${a.issuedKey}.x`,
    ]) {
      expect(await verify(text), text).toEqual({ state: 'unknown', keyId: '' })
    }
  })

  test('refuses an old key whose row now belongs to another user, as after a restore', async () => {
    const { keyId, issuedKey } = await issued()
    const other = await maru.createUser()
    await maru.database.pool.query('update issued_keys set user_id = $2 where id = $1', [keyId, other.id])
    expect(await verify(issuedKey)).toEqual({ state: 'unknown', keyId: '' })
  })

  test.each([
    [
      'the partner’s last day is over',
      `update partners set valid_to = '2026-11-17' where id = $1`,
      'partner',
    ],
    [
      'the partner’s first day has not come',
      `update partners set valid_from = '2026-11-19' where id = $1`,
      'partner',
    ],
    ['the partner is stopped', 'update partners set stopped_at = now() where id = $1', 'partner'],
    ['the user’s last day is over', `update users set valid_to = '2026-11-17' where id = $1`, 'person'],
    ['the user is withdrawn', 'update users set withdrawn_at = now() where id = $1', 'person'],
    ['the user is suspended', 'update users set suspended_at = now() where id = $1', 'person'],
    ['the user is no longer approved', `update users set approval_code = 'MEMAP002' where id = $1`, 'person'],
  ] as const)('answers expired when %s', async (_, change, whose) => {
    const key = await issued()
    await sql(change, key[whose].id)
    expect(await verify(key.issuedKey)).toEqual({ state: 'expired', keyId: key.keyId })
  })

  test('counts the last day of partner and user as valid, in Asia/Seoul', async () => {
    const key = await issued({ validTo: '2026-11-18' })
    await sql(`update users set valid_to = '2026-11-18' where id = $1`, key.person.id)
    now = new Date('2026-11-18T23:59:59.999+09:00')
    expect((await verify(key.issuedKey)).state).toBe('valid')
    now = new Date('2026-11-19T00:00:00+09:00')
    expect((await verify(key.issuedKey)).state).toBe('expired')
    now = new Date('2026-11-18T12:00:00+09:00')
  })
})

describe('revoking a key (rules/keys#revoke-key)', () => {
  test('revokes for good, logs reason and actor, and reports revoked before expired', async () => {
    const key = await issued()
    const admin = await maru.createUser({ role: 'admin' })
    const revoke = () => maru.call(revokeKey, { keyId: key.keyId, reason: '단말기 분실' }, admin)
    expect((await revoke()).status).toBe(200)
    expect((await verify(key.issuedKey)).state).toBe('revoked')
    await sql(`update partners set valid_to = '2026-01-01' where id = $1`, key.partner.id)
    expect((await verify(key.issuedKey)).state).toBe('revoked')
    expect(await revoke()).toMatchObject({ status: 400, code: 'KEY_ALREADY_REVOKED' })
    const { rows } = await sql(
      `select actor_id, detail from audit_log where action = 'key.revoke' and target = $1`,
      key.keyId,
    )
    expect(rows).toEqual([{ actor_id: admin.id, detail: { reason: '단말기 분실' } }])
  })

  test('frees no limit, and the same request is still answered the revoked key', async () => {
    const key = await issued({ limits: { day: 1 } })
    const { session } = await maru.createUser({ role: 'admin' })
    await maru.call(revokeKey, { keyId: key.keyId, reason: 'x' }, { session })
    const ask = (requestKey: string) => maru.call(issueKey, { requestKey }, { session: key.person.session })
    expect((await ask('another')).code).toBe('KEY_LIMIT_DAY')
    expect((await ask('device')).data.issuedKey).toBe(key.issuedKey)
    const usage = await maru.call(getPartnerUsage, { partnerCode: key.partner.code }, { session })
    expect(usage.data.day).toEqual({ used: 1, limit: 1 })
  })

  test('needs a reason, an existing key and autho_partner_search', async () => {
    const { keyId, issuedKey, person } = await issued()
    const { session } = await maru.createUser({ role: 'admin' })
    expect(await maru.call(revokeKey, { keyId, reason: '  ' }, { session })).toMatchObject({
      field: 'reason',
    })
    expect((await maru.call(revokeKey, { keyId: '999999', reason: 'x' }, { session })).code).toBe(
      'KEY_NOT_FOUND',
    )
    const own = await maru.call(revokeKey, { keyId, reason: 'x' }, { session: person.session })
    expect(own.code).toBe('FORBIDDEN')
    expect((await verify(issuedKey)).state).toBe('valid')
  })
})

const auditOf = async (keyId: string) =>
  (
    await sql(
      `select actor_id, detail, records from audit_log where action = 'key.revoke' and target = $1`,
      keyId,
    )
  ).rows
const noticesOf = async (id: string) =>
  (await sql(`select detail from notifications where kind = 'KEY_REVOKED' and user_id = $1`, id)).rows

describe('revoking many keys (rules/keys#revoke-many)', () => {
  test('revokes keys of several users with a row and a notification for each', async () => {
    const [first, second, kept] = [await issued(), await issued(), await issued()]
    const admin = await maru.createUser({ role: 'admin' })
    const keyIds = [first.keyId, second.keyId, first.keyId]
    const revoke = () => maru.call(revokeKeys, { keyIds, reason: '단말기 교체' }, admin)
    expect((await revoke()).data).toEqual({ keyCount: 2 })
    for (const key of [first, second]) {
      expect((await verify(key.issuedKey)).state).toBe('revoked')
      expect(await auditOf(key.keyId)).toEqual([
        { actor_id: admin.id, detail: { reason: '단말기 교체' }, records: null },
      ])
      expect(await noticesOf(key.person.id)).toEqual([
        { detail: { requestKey: 'device', reason: '단말기 교체' } },
      ])
    }
    expect((await verify(kept.issuedKey)).state).toBe('valid')
    expect(await noticesOf(kept.person.id)).toEqual([])
    expect((await revoke()).code).toBe('KEY_ALREADY_REVOKED')
  })

  test('leaves revoked keys as they are, and does not notify callers of their own keys', async () => {
    const [before, rest] = [await issued(), await issued()]
    const { id, session } = await maru.createUser({ role: 'admin' })
    await maru.call(revokeKey, { keyId: before.keyId, reason: '먼저' }, { session })
    await sql('update issued_keys set user_id = $2 where id = $1', rest.keyId, id)
    const keyIds = [before.keyId, rest.keyId]
    expect((await maru.call(revokeKeys, { keyIds, reason: '나중' }, { session })).data).toEqual({
      keyCount: 1,
    })
    expect(await auditOf(before.keyId)).toMatchObject([{ detail: { reason: '먼저' } }])
    expect(await noticesOf(id)).toEqual([])
  })

  test('revokes each key once in two concurrent calls', async () => {
    const keys = []
    for (let at = 0; at < 4; at += 1) keys.push(await issued())
    const [first, second] = [
      await maru.createUser({ role: 'admin' }),
      await maru.createUser({ role: 'admin' }),
    ]
    const keyIds = keys.map(({ keyId }) => keyId)
    const outcomes = await Promise.all([
      maru.call(revokeKeys, { keyIds, reason: '하나' }, first),
      maru.call(revokeKeys, { keyIds: keyIds.toReversed(), reason: '둘' }, second),
    ])
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set([undefined, 'KEY_ALREADY_REVOKED']))
    for (const { keyId, person } of keys) {
      expect(await auditOf(keyId)).toHaveLength(1)
      expect(await noticesOf(person.id)).toHaveLength(1)
    }
  })

  test('refuses all for an unknown key, no reason, or a user without autho_partner_search', async () => {
    const { keyId, issuedKey, person } = await issued()
    const admin = await maru.createUser({ role: 'admin' })
    const code = async (keyIds: string[], reason: string, by: { session: string } = admin) =>
      (await maru.call(revokeKeys, { keyIds, reason }, { session: by.session })).code
    expect(await code([keyId, '999999'], 'x')).toBe('KEY_NOT_FOUND')
    expect(await code([keyId], ' ')).toBe('INPUT_INVALID')
    expect(await code([], 'x')).toBe('INPUT_INVALID')
    expect(
      await code(
        Array.from({ length: 1001 }, (_, at) => `${at + 1}`),
        'x',
      ),
    ).toBe('INPUT_INVALID')
    expect(await code([keyId], 'x', person)).toBe('FORBIDDEN')
    expect(await code([keyId], 'x', await maru.createUser({ role: 'hr' }))).toBe('FORBIDDEN')
    expect((await verify(issuedKey)).state).toBe('valid')
    expect(await auditOf(keyId)).toEqual([])
  })
})
