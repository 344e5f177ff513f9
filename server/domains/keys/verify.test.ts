import { describe, expect, test } from 'vitest'
import {
  createService,
  getPartnerUsage,
  issueKey,
  listServices,
  revokeKey,
  revokeService,
  verifyKey,
} from '../../../contract/keys.ts'
import { holderOf, partnerWith, type PartnerSettings } from '../../test-kit/keys.ts'
import { useMaru } from '../../test-kit/maru.ts'

let now = new Date('2026-11-18T12:00:00+09:00')
const maru = useMaru({}, { clock: () => now })
let service: string | undefined

async function verify(ISSUED_KEY: string) {
  service ??= (await maru.createService()).token
  const { status, data } = await maru.call(verifyKey, { ISSUED_KEY }, { token: service })
  expect(status).toBe(200)
  return data
}

async function issued(settings: PartnerSettings = {}) {
  const partner = await partnerWith(maru, settings)
  const person = await holderOf(maru, partner)
  const { data } = await maru.call(issueKey, { REQUEST_KEY: 'device' }, { session: person.session })
  return { partner, person, ...data }
}

const sql = (text: string, id: string) => maru.database.pool.query(text, [id])

describe('verifying a key (ADR 023)', () => {
  test('a key that was issued is valid, by its own KEY_ID', async () => {
    const { KEY_ID, ISSUED_KEY } = await issued()
    expect(await verify(ISSUED_KEY)).toEqual({ STATE: 'valid', KEY_ID })
  })

  test('whatever else is unknown: made up, changed by a character, of another key, of no key', async () => {
    const [a, b] = [await issued(), await issued()]
    const mac = a.ISSUED_KEY.split('.')[2] ?? ''
    const last = mac.endsWith('A') ? 'B' : 'A'
    for (const text of [
      'x',
      a.KEY_ID,
      mac,
      `MARU1.${b.KEY_ID}.${mac}`,
      `MARU1.999999999.${mac}`,
      `MARU1.999999999999999999.${mac}`,
      `MARU1.0${a.KEY_ID}.${mac}`,
      `MARU2.${a.KEY_ID}.${mac}`,
      a.ISSUED_KEY.slice(0, -1) + last,
      a.ISSUED_KEY.toLowerCase(),
      `${a.ISSUED_KEY}=`,
      `${a.ISSUED_KEY}.x`,
    ]) {
      expect(await verify(text), text).toEqual({ STATE: 'unknown', KEY_ID: '' })
    }
  })

  test('a row that came back for somebody else, as after a restored backup, does not make the old key good', async () => {
    const { KEY_ID, ISSUED_KEY } = await issued()
    const other = await maru.createUser()
    await maru.database.pool.query('update issued_keys set user_id = $2 where id = $1', [KEY_ID, other.id])
    expect(await verify(ISSUED_KEY)).toEqual({ STATE: 'unknown', KEY_ID: '' })
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
    ['the user’s last day is over', `update users set valid_to = '2026-11-17' where id = $1`, 'person'],
    ['the user is withdrawn', 'update users set withdrawn_at = now() where id = $1', 'person'],
    ['the user is suspended', 'update users set suspended_at = now() where id = $1', 'person'],
    ['the user is no longer approved', `update users set approval_code = 'MEMAP002' where id = $1`, 'person'],
  ] as const)('expired when %s', async (_, change, whose) => {
    const key = await issued()
    await sql(change, key[whose].id)
    expect(await verify(key.ISSUED_KEY)).toEqual({ STATE: 'expired', KEY_ID: key.KEY_ID })
  })

  test('the last day of partner and user still counts, in Asia/Seoul', async () => {
    const key = await issued({ validTo: '2026-11-18' })
    await sql(`update users set valid_to = '2026-11-18' where id = $1`, key.person.id)
    now = new Date('2026-11-18T23:59:59.999+09:00')
    expect((await verify(key.ISSUED_KEY)).STATE).toBe('valid')
    now = new Date('2026-11-19T00:00:00+09:00')
    expect((await verify(key.ISSUED_KEY)).STATE).toBe('expired')
    now = new Date('2026-11-18T12:00:00+09:00')
  })
})

describe('revoking a key', () => {
  test('makes it revoked at once, goes before expired, stays on record with reason and actor, and is final', async () => {
    const key = await issued()
    const admin = await maru.createUser({ role: 'admin' })
    const revoke = () => maru.call(revokeKey, { KEY_ID: key.KEY_ID, REASON: '단말기 분실' }, admin)
    expect((await revoke()).status).toBe(200)
    expect((await verify(key.ISSUED_KEY)).STATE).toBe('revoked')
    await sql(`update partners set valid_to = '2026-01-01' where id = $1`, key.partner.id)
    expect((await verify(key.ISSUED_KEY)).STATE).toBe('revoked')
    expect(await revoke()).toMatchObject({ status: 400, code: 'KEY_ALREADY_REVOKED' })
    const { rows } = await sql(
      `select actor_id, detail from audit_log where action = 'key.revoke' and target = $1`,
      key.KEY_ID,
    )
    expect(rows).toEqual([{ actor_id: admin.id, detail: { reason: '단말기 분실' } }])
  })

  test('does not free the limit, and the same request goes on answering the revoked key', async () => {
    const key = await issued({ limits: { day: 1 } })
    const { session } = await maru.createUser({ role: 'admin' })
    await maru.call(revokeKey, { KEY_ID: key.KEY_ID, REASON: 'x' }, { session })
    const ask = (REQUEST_KEY: string) => maru.call(issueKey, { REQUEST_KEY }, { session: key.person.session })
    expect((await ask('another')).code).toBe('KEY_LIMIT_DAY')
    expect((await ask('device')).data.ISSUED_KEY).toBe(key.ISSUED_KEY)
    const usage = await maru.call(getPartnerUsage, { PARTNER_CODE: key.partner.code }, { session })
    expect(usage.data.DAY).toEqual({ USED: 1, LIMIT: 1 })
  })

  test('needs a reason, a key that is there, and autho_partner_search', async () => {
    const { KEY_ID, ISSUED_KEY, person } = await issued()
    const { session } = await maru.createUser({ role: 'admin' })
    expect(await maru.call(revokeKey, { KEY_ID, REASON: '  ' }, { session })).toMatchObject({
      field: 'REASON',
    })
    expect((await maru.call(revokeKey, { KEY_ID: '999999', REASON: 'x' }, { session })).code).toBe(
      'KEY_NOT_FOUND',
    )
    const own = await maru.call(revokeKey, { KEY_ID, REASON: 'x' }, { session: person.session })
    expect(own.code).toBe('FORBIDDEN')
    expect((await verify(ISSUED_KEY)).STATE).toBe('valid')
  })
})

describe('services and their tokens (ADR 023)', () => {
  test('a token is shown once, kept as a hash, works until it is revoked, and then its name is free', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const made = await maru.call(createService, { SERVICE_NAME: '지도 서비스' }, admin)
    const { SERVICE_TOKEN: token, SERVICE_ID } = made.data
    expect(token).toMatch(/^maru-service-[\w-]{43}$/)
    const ask = () => maru.call(verifyKey, { ISSUED_KEY: 'x' }, { token })
    expect((await ask()).status).toBe(200)

    const { rows } = await maru.database.pool.query('select s::text as row from service_tokens s')
    expect(JSON.stringify(rows)).not.toContain(token)
    const list = await maru.call(listServices, {}, admin)
    expect(list.raw).not.toContain(token)
    expect(list.data.SERVICE_LIST.find((row) => row.SERVICE_ID === SERVICE_ID)).toMatchObject({
      SERVICE_NAME: '지도 서비스',
      CREATE_USER_ID: admin.userId,
      LAST_USE_DATETIME: expect.stringMatching(/^\d{4}-/),
      REVOKED_DATETIME: '',
    })
    const twice = await maru.call(createService, { SERVICE_NAME: '지도 서비스' }, admin)
    expect(twice.code).toBe('SERVICE_NAME_TAKEN')

    expect((await maru.call(revokeService, { SERVICE_ID }, admin)).status).toBe(200)
    expect((await ask()).code).toBe('SERVICE_TOKEN_REQUIRED')
    expect((await maru.call(revokeService, { SERVICE_ID }, admin)).code).toBe('SERVICE_NOT_FOUND')
    const again = await maru.call(createService, { SERVICE_NAME: '지도 서비스' }, admin)
    expect(again.data.SERVICE_TOKEN).not.toBe(token)
  })
})
