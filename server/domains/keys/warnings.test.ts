import { beforeEach, describe, expect, test } from 'vitest'
import { issueKey } from '../../../contract/keys.ts'
import { holderOf, partnerWith, type PartnerSettings } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'

/*
 * A mail to the administrators at 80 and 100 % of a limit, once per limit, period and mark (rules/keys#limit-warnings).
 */
let now = new Date('2026-11-18T12:00:00+09:00')
// A mail server that is not there: mails stay in the queue, where the test reads them.
const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:9' }, { clock: () => now })

beforeEach(async () => {
  await maru.database.pool.query('delete from mails')
  await maru.database.pool.query(`update users set withdrawn_at = now() where role_code = 'AUT001'`)
})

async function holder(settings: PartnerSettings) {
  const partner = await partnerWith(maru, settings)
  return { partner, ...(await holderOf(maru, partner)) }
}

let requests = 0
async function issue({ session }: { session: string }, count = 1) {
  for (let i = 0; i < count; i += 1) {
    requests += 1
    const { status } = await maru.call(issueKey, { requestKey: `request ${requests}` }, { session })
    expect(status).toBe(200)
  }
}

async function mails(): Promise<string[]> {
  const { rows } = await maru.database.pool.query('select recipient, subject from mails order by id')
  return rows.map(({ recipient, subject }) => `${recipient}: ${subject}`)
}

describe('limit warnings', () => {
  test('go out once at 80 and at 100 %, to partner administrators, in their language', async () => {
    const [kim, lee] = [await maru.createUser({ role: 'admin' }), await maru.createUser({ role: 'admin' })]
    await maru.database.pool.query(`update users set language = 'en' where id = $1`, [lee.id])
    await maru.createUser({ role: 'hr' })
    await maru.createUser({ role: 'admin', validTo: '2020-01-01' })
    const person = await holder({ limits: { day: 10 } })
    await issue(person, 7)
    expect(await mails()).toEqual([])
    await issue(person)
    const { code } = person.partner
    const at80 = [
      `${kim.email}: [주식회사 마루] ${code} 일 최대 발급 수의 80% 사용`,
      `${lee.email}: [주식회사 마루] ${code} has used 80% of its daily key limit`,
    ]
    expect(await mails()).toEqual(at80)
    await issue(person)
    expect(await mails()).toEqual(at80)
    await issue(person)
    expect(await mails()).toEqual([
      ...at80,
      `${kim.email}: [주식회사 마루] ${code} 일 최대 발급 수의 100% 사용`,
      `${lee.email}: [주식회사 마루] ${code} has used 100% of its daily key limit`,
    ])
    const refused = await maru.call(issueKey, { requestKey: 'too many' }, { session: person.session })
    expect(refused.code).toBe('KEY_LIMIT_DAY')
    expect(await mails()).toHaveLength(4)
  })

  test('go out once for both marks at once, and again for a new period or a raised limit', async () => {
    await maru.createUser({ role: 'admin' })
    const person = await holder({ limits: { day: 1, total: 100 } })
    await issue(person)
    expect(await mails()).toEqual([expect.stringMatching(/일 최대 발급 수의 100% 사용$/)])
    now = new Date('2026-11-19T12:00:00+09:00')
    await issue(person)
    expect(await mails()).toHaveLength(2)
    await maru.database.pool.query('update partners set limit_day = 2 where id = $1', [person.partner.id])
    await issue(person)
    expect(await mails()).toHaveLength(3)
    now = new Date('2026-11-18T12:00:00+09:00')
  })

  test('go out for every limit separately', async () => {
    await maru.createUser({ role: 'admin' })
    await issue(await holder({ limits: { day: 2, week: 2, month: 2, total: 2 } }), 2)
    expect((await mails()).map((mail) => mail.replace(/^.*\] \S+ /, '')).toSorted()).toEqual(
      ['일', '월', '주', '총'].map((period) => `${period} 최대 발급 수의 100% 사용`).toSorted(),
    )
  })

  test('go out once for concurrent issues on two servers, and never without a limit', async () => {
    await maru.createUser({ role: 'admin' })
    const twin = await maru.startTwin()
    const person = await holder({ limits: { day: 20 } })
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 2 === 0 ? maru : twin).call(issueKey, { requestKey: `many ${i}` }, { session: person.session }),
      ),
    )
    expect(await mails()).toHaveLength(2)
    await issue(await holder({}), 3)
    expect(await mails()).toHaveLength(2)
  })
})
