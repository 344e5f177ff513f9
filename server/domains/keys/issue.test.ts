import { expect, test, describe } from 'vitest'
import { issueKey } from '../../../contract/keys.ts'
import { resumePartner, stopPartner } from '../../../contract/partners.ts'
import { holderOf, partnerWith, type PartnerSettings } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

const NOW = '2026-11-18T12:00:00+09:00'
let now = new Date(NOW)
const maru = useMaru({}, { clock: () => now })

async function holder(settings: PartnerSettings = {}) {
  const partner = await partnerWith(maru, settings)
  return { partner, ...(await holderOf(maru, partner)) }
}

const ask = ({ session }: { session: string }, requestKey: string) =>
  maru.call(issueKey, { requestKey }, { session })

async function countOf(partner: { id: string }): Promise<number> {
  const { rows } = await maru.database.pool.query(
    'select count(*)::int as n from issued_keys where partner_id = $1',
    [partner.id],
  )
  return rows[0].n as number
}

describe('issuing a key (rules/keys#issue-key, rules/keys#same-request, rules/keys#limits)', () => {
  test('returns keyId, issuedKey and issuedAt, with partner and region from the user', async () => {
    const { partner, id, session } = await holder({
      affiliation: 'BEL008',
      province: '부산광역시',
      district: '해운대구',
    })
    const { status, data } = await ask({ session }, 'device-1')
    expect(status).toBe(200)
    expect(data).toEqual({
      keyId: expect.stringMatching(/^\d+$/),
      issuedKey: expect.stringMatching(new RegExp(`^MARU1\\.${data.keyId}\\.[\\w-]{43}$`)),
      issuedAt: '2026-11-18 12:00:00',
    })
    const { rows } = await maru.database.pool.query('select * from issued_keys where id = $1', [data.keyId])
    expect(rows[0]).toMatchObject({
      user_id: id,
      request_key: 'device-1',
      partner_id: partner.id,
      affiliation_code: 'BEL008',
      province_name: '부산광역시',
      district_name: '해운대구',
      issued_on: '2026-11-18',
    })
  })

  test('answers the same key for the same user and requestKey and counts it once', async () => {
    const person = await holder({ limits: { day: 2 } })
    const first = await ask(person, 'again')
    for (let i = 0; i < 3; i += 1) expect((await ask(person, ' again ')).data).toEqual(first.data)
    expect(await countOf(person.partner)).toBe(1)
    expect((await ask(person, 'another')).status).toBe(200)
  })

  test('answers a repeated request even if limits, partner or user would now refuse it', async () => {
    const person = await holder({ limits: { day: 1, week: 1, month: 1, total: 1 } })
    const first = await ask(person, 'mine')
    expect((await ask(person, 'next')).code).toBe('KEY_LIMIT_TOTAL')
    expect((await ask(person, 'mine')).data).toEqual(first.data)
    await maru.database.pool.query(`update partners set valid_to = '2026-01-01' where id = $1`, [
      person.partner.id,
    ])
    expect((await ask(person, 'mine')).data).toEqual(first.data)
    await maru.database.pool.query('update users set partner_id = null where id = $1', [person.id])
    expect((await ask(person, 'mine')).data).toEqual(first.data)
    expect((await ask(person, 'next')).code).toBe('NO_PARTNER')
  })

  test('makes two keys when two users send the same requestKey', async () => {
    const partner = await partnerWith(maru)
    const [a, b] = [await holderOf(maru, partner), await holderOf(maru, partner)]
    const keys = [await ask(a, 'same'), await ask(b, 'same')].map(({ data }) => data.issuedKey)
    expect(new Set(keys).size).toBe(2)
    expect(await countOf(partner)).toBe(2)
  })

  test('makes one key for a request that arrives twenty times at once', async () => {
    const person = await holder({ limits: { total: 1 } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(person, 'at once')))
    expect(new Set(answers.map(({ data }) => data?.issuedKey)).size).toBe(1)
    expect(await countOf(person.partner)).toBe(1)
  })

  test('answers NO_PARTNER without a partner', async () => {
    expect(await ask(await maru.createUser(), 'x')).toMatchObject({ status: 400, code: 'NO_PARTNER' })
  })

  test('answers PARTNER_EXPIRED outside the validity, whose first and last day count', async () => {
    const days = { validFrom: '2026-11-10', validTo: '2026-11-20' }
    for (const [moment, code] of [
      ['2026-11-09T23:59:59.999+09:00', 'PARTNER_EXPIRED'],
      ['2026-11-10T00:00:00+09:00', undefined],
      ['2026-11-20T23:59:59.999+09:00', undefined],
      ['2026-11-21T00:00:00+09:00', 'PARTNER_EXPIRED'],
    ] as const) {
      now = new Date(moment)
      expect((await ask(await holder(days), 'x')).code, moment).toBe(code)
    }
    now = new Date(NOW)
  })

  test('answers PARTNER_STOPPED for a deactivated partner until it is active again (rules/partners#stop-partner)', async () => {
    const person = await holder({ validTo: '2026-01-01' })
    const admin = await maru.createUser({ role: 'admin' })
    const { code: partnerCode } = person.partner
    const stop = () => maru.call(stopPartner, { partnerCode, reason: '계약 종료' }, admin)
    expect((await stop()).status).toBe(200)
    expect((await stop()).code).toBe('RECORD_CHANGED')
    expect(await ask(person, 'x')).toMatchObject({ status: 400, code: 'PARTNER_STOPPED' })
    const resumed = await maru.call(resumePartner, { partnerCode, reason: '재계약' }, admin)
    expect(resumed.status).toBe(200)
    expect((await ask(person, 'x')).code).toBe('PARTNER_EXPIRED')
    const { rows } = await maru.database.pool.query(
      `select action, detail from audit_log where target = $1 order by id`,
      [partnerCode],
    )
    expect(rows).toEqual([
      { action: 'partner.stop', detail: { reason: '계약 종료' } },
      { action: 'partner.resume', detail: { reason: '재계약' } },
    ])
  })

  test.each(['day', 'week', 'month', 'total'] as const)(
    'stops exactly at the %s limit with its own code and writes nothing more',
    async (period) => {
      const person = await holder({ limits: { [period]: 3 } })
      for (const n of [1, 2, 3]) expect((await ask(person, `key ${n}`)).status).toBe(200)
      const refused = await ask(person, 'key 4')
      expect(refused).toMatchObject({ status: 400, code: `KEY_LIMIT_${period.toUpperCase()}` })
      expect(refused.msg).toMatch(/발급/)
      expect(await countOf(person.partner)).toBe(3)
      const { rows } = await maru.database.pool.query(
        `select * from audit_log where detail->>'requestKey' = 'key 4'`,
      )
      expect(rows).toEqual([])
    },
  )

  test('is impossible at a limit of 0; of several full limits the longest is named', async () => {
    expect((await ask(await holder({ limits: { day: 0 } }), 'x')).code).toBe('KEY_LIMIT_DAY')
    expect((await ask(await holder({ limits: { day: 0, week: 0 } }), 'x')).code).toBe('KEY_LIMIT_WEEK')
    expect((await ask(await holder({ limits: { day: 0, month: 0 } }), 'x')).code).toBe('KEY_LIMIT_MONTH')
    expect((await ask(await holder({ limits: { month: 0, total: 0 } }), 'x')).code).toBe('KEY_LIMIT_TOTAL')
  })

  test('counts for all users of a partner on both servers, and for no other partner', async () => {
    const twin = await maru.startTwin()
    const partner = await partnerWith(maru, { limits: { day: 7 } })
    const people = await Promise.all(Array.from({ length: 5 }, () => holderOf(maru, partner)))
    const other = await holder({ limits: { day: 1 } })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const { session } = people[i % 5] ?? expect.unreachable()
        return (i % 2 === 0 ? maru : twin).call(issueKey, { requestKey: `key ${i}` }, { session })
      }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(answers.filter(({ code }) => code === 'KEY_LIMIT_DAY')).toHaveLength(23)
    expect(await countOf(partner)).toBe(7)
    expect((await ask(other, 'x')).status).toBe(200)
  })

  test('answers 429 past 600 calls a minute from one address', async () => {
    const person = await holder()
    await maru.database.pool.query(`delete from rate_limits`)
    const call = () =>
      maru.call(issueKey, { requestKey: 'x' }, { session: person.session, address: '10.9.9.9' })
    await call()
    await maru.database.pool.query(`update rate_limits set points = 600 where key like '%ins/Key%'`)
    expect(await call()).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
  })

  test('is refused if KEY_SECRET does not match the existing keys, as is the start', async () => {
    const person = await holder()
    await ask(person, 'bound')
    const { checkKeySecret, bindKeySecret } = await import('./secrets.ts')
    const { openKeySecret } = await import('../../services/key-secret.ts')
    const other = openKeySecret({
      ...maru.services.config,
      secrets: { ...maru.services.config.secrets, keySecret: 'x'.repeat(40) },
    })
    await expect(checkKeySecret(maru.database.db, other)).rejects.toThrow(/^KEY_SECRET is not the one/)
    const binding = maru.database.db.transaction().execute((tx) => bindKeySecret(tx, other))
    await expect(binding).rejects.toThrow(/^KEY_SECRET is not the one/)
    await checkKeySecret(maru.database.db, maru.services.keySecret)
  })
})
