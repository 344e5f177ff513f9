import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { CERTIFY_TYPE, findId, resetPassword, signUp } from '../../../contract/account.ts'
import { networkOf } from '../../callers/client-address.ts'
import { certifier, wrong } from '../../../dev/test-kit/certified.ts'
import { type Answer, type CallOptions, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../dev/test-kit/round-trips.ts'
import { sampleOf } from '../../../dev/test-kit/samples.ts'
import { type ReceivedMail, startSmtp } from '../../../dev/test-kit/smtp.ts'

/*
 * Against guessing and flooding (rules/account#certification-limits): exact when many come at once, and across two
 * servers.
 */
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { certify, allSent, getCode } = certifier(maru, smtp)
afterAll(() => smtp.close())

const find = (email: string, code: string) =>
  maru.call(findId, { email, certificationType: CERTIFY_TYPE.findId, certificationCode: code })

/** Returns the number of a mail in the queue. A later mail has a higher one. */
const idOf = ({ headers }: ReceivedMail) => Number(/^<(\d+)\./.exec(headers['message-id'] ?? '')?.[1])

/** Address from which codes are requested. */
const ASKER = { address: '203.0.113.3' }

const limited = (answers: Answer[]) => answers.filter(({ status }) => status === 429)
const tenMinutesLater = () =>
  maru.database.pool.query(`update rate_limits set expire = 0 where key not like 'certify-email-day:%'`)

const minuteLater = () =>
  maru.database.pool.query(`delete from rate_limits where key like '/stm/v1/email/certify:%'`)
const usedBy = async () =>
  (
    await maru.database.pool.query(
      `select max(points) as most from rate_limits where key like 'certify-recipients-TYP001:%'`,
    )
  ).rows[0].most

/** Uses up what a network may do in an hour. */
const usedUp = (name: string, address: string, points = 60) =>
  maru.services.limits.use(name, { points, seconds: 3600 }, address, undefined, points).catch(String)

const askAgain = () => certify('signUp', 'same@example.com', 'same.id', { address: '203.0.113.61' })

describe('certification limits', () => {
  test('allow five codes per purpose and email in ten minutes, then answer 429', async () => {
    const { email } = await maru.createUser()
    await allSent()
    const since = smtp.mails.length
    for (let i = 0; i < 5; i += 1) expect((await certify('findId', email, undefined, ASKER)).status).toBe(200)
    const sixth = await certify('findId', email, undefined, ASKER)
    expect(sixth).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(590)
    expect(Number(sixth.headers['retry-after'])).toBeLessThanOrEqual(600)
    await allSent()
    expect(smtp.mails.slice(since)).toHaveLength(5)
    // The fifth code still works: being told to wait takes nothing away.
    // Two senders work at once: the mails come in any order.
    const [newest] = smtp.mails.slice(since).toSorted((a, b) => idOf(b) - idOf(a))
    const last = /^\d{6}$/m.exec(newest?.text ?? '')?.[0] ?? ''
    expect((await find(email, last)).status).toBe(200)
    // And nobody else waits.
    expect((await certify('findId', email)).status).toBe(200)
  })

  test('allow a requester twenty codes per purpose and e-mail in a day', async () => {
    const email = 'day@example.com'
    for (let i = 0; i < 20; i += 1) {
      if (i % 5 === 0) await tenMinutesLater()
      expect((await certify('findId', email, undefined, ASKER)).status).toBe(200)
    }
    await tenMinutesLater()
    const answer = await certify('findId', email, undefined, ASKER)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(86_000)
  })

  test('hold exactly at 20 per e-mail when 40 addresses ask two servers at once', async () => {
    const { email } = await maru.createUser()
    const other = certifier({ ...maru, ...(await maru.startTwin()) }, smtp)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? certify : other.certify)('findId', email)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(limited(answers)).toHaveLength(20)
    // For minutes, not for hours.
    for (const { headers } of limited(answers))
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600)
  })

  test('stop at 60 per address and minute, also with two servers and 80 emails', async () => {
    const other = certifier({ ...maru, ...(await maru.startTwin()) }, smtp)
    const options = { address: '203.0.113.7' }
    const ask = (i: number) =>
      (i % 2 === 0 ? certify : other.certify)('findId', `flood${i}@example.com`, undefined, options)
    const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => ask(i)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    for (const { code, headers } of limited(answers)) {
      expect(code).toBe('TOO_MANY_TRIES')
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  test('allow twenty tries per minute and address for each call that takes a code', async () => {
    for (const endpoint of [findId, resetPassword, signUp]) {
      const input = sampleOf({ endpoint })
      const tries = Array.from({ length: 30 }, () =>
        maru.callRaw(endpoint.path, input, { address: '203.0.113.8' }),
      )
      expect(limited(await Promise.all(tries)), endpoint.path).toHaveLength(10)
    }
  })

  describe('on recipients (rules/account#certification-recipients)', () => {
    test('allow a network sign-ups for 60 mailboxes an hour without limiting others', async () => {
      const { email } = await maru.createUser()
      const from = { address: '203.0.113.60' }
      const other = certifier({ ...maru, ...(await maru.startTwin()) }, smtp)
      await maru.database.pool.query('delete from rate_limits')
      const statuses: number[] = []
      for (let round = 0; round < 7; round += 1) {
        await minuteLater()
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            (n % 2 ? certify : other.certify)('signUp', `many${round}.${n}@example.com`, `many${n}`, from),
          ),
        )
        statuses.push(...answers.map(({ status }) => status))
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(60)
      await minuteLater()
      const [known, unknown] = [
        await certify('signUp', email, 'some.id', from),
        await certify('signUp', 'nobody.here@example.com', 'some.id', from),
      ]
      expect(known).toMatchObject({ status: 429, code: 'TOO_MANY_TRIES' })
      expect(unknown.raw).toBe(known.raw)
      expect((await certify('signUp', email, 'some.id', ASKER)).status).toBe(200)
    })

    test('keeps an account’s codes available despite others’ made-up requests', async () => {
      const kim = await maru.createUser()
      const from = { address: '203.0.113.62' }
      await usedUp(`certify-recipients-${CERTIFY_TYPE.signUp}`, from.address)
      for (let n = 0; n < 61; n += 1) {
        if (n % 30 === 0) await minuteLater()
        const purpose = n % 2 ? 'findId' : 'resetPassword'
        const answer = await certify(purpose, `made.up${n}@example.com`, n % 2 ? undefined : kim.userId, from)
        expect(answer.status).toBe(200)
      }
      await minuteLater()
      expect((await certify('signUp', 'new.colleague@example.com', 'new.id', from)).status).toBe(429)
      expect(await getCode('resetPassword', kim.email, kim.userId, from)).toMatch(/^\d{6}$/)
      expect(await getCode('findId', kim.email, undefined, from)).toMatch(/^\d{6}$/)
    })

    test('mail at most 60 foreign accounts per network, ten times its own, alike in answer', async () => {
      const [guest, colleague] = [await maru.createUser(), await maru.createUser()]
      const office = '203.0.113.63'
      await maru.database.pool.query('insert into login_networks (user_id, network) values ($1, $2)', [
        colleague.id,
        office,
      ])
      for (const purpose of ['findId', 'resetPassword'] as const) {
        const namedId = ({ userId }: TestUser) => (purpose === 'findId' ? undefined : userId)
        const ask = (user: TestUser, from = { address: office }) =>
          certify(purpose, user.email, namedId(user), from)
        await usedUp(`certify-recipients-${CERTIFY_TYPE[purpose]}`, office)
        await allSent()
        const since = smtp.mails.length
        const unknown = await certify(purpose, 'nobody.at.all@example.com', namedId(guest), {
          address: office,
        })
        const limitedOne = await ask(guest)
        expect([limitedOne.status, limitedOne.raw]).toEqual([200, unknown.raw])
        expect((await ask(colleague)).status).toBe(200)
        await allSent()
        expect(smtp.mails.slice(since).map(({ to }) => to)).toEqual([[colleague.email]])
        await usedUp(`certify-recipients-known-${CERTIFY_TYPE[purpose]}`, office, 600)
        expect((await ask(colleague)).status).toBe(200)
        await allSent()
        expect(smtp.mails.slice(since)).toHaveLength(1)
        expect((await ask(guest, ASKER)).status).toBe(200)
        await allSent()
        expect(smtp.mails.slice(since)).toHaveLength(2)
      }
    })

    test('use the same statements whether the account exists, is of this network, or not', async () => {
      const [guest, colleague] = [await maru.createUser(), await maru.createUser()]
      const address = '203.0.113.64'
      await maru.database.pool.query('insert into login_networks (user_id, network) values ($1, $2)', [
        colleague.id,
        networkOf(address),
      ])
      const statementsOf = (email: string) =>
        roundTrips(maru.database.pool, () => certify('resetPassword', email, guest.userId, { address }))
      const [none, fits] = [await statementsOf('nobody@example.com'), await statementsOf(guest.email)]
      const own = await roundTrips(maru.database.pool, () =>
        certify('resetPassword', colleague.email, colleague.userId, { address }),
      )
      expect(fits).toEqual(none)
      expect(own).toEqual(none)
      await usedUp(`certify-recipients-${CERTIFY_TYPE.resetPassword}`, address)
      expect(await statementsOf(guest.email)).toEqual(none)
    })

    test('count a mailbox once, however often and however concurrently it is asked for', async () => {
      await maru.database.pool.query('delete from rate_limits')
      await Promise.all(Array.from({ length: 4 }, askAgain))
      for (let n = 0; n < 3; n += 1) await askAgain()
      expect(Number(await usedBy())).toBe(1)
    })
  })

  test('apply to the longest possible e-mail too', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`
    expect(email.length).toBeGreaterThan(240)
    expect((await certify('findId', email)).status).toBe(200)
  })

  test('are counted without storing the e-mail', async () => {
    await certify('findId', 'not.in.the.table@example.com')
    const { rows } = await maru.database.pool.query(`select key from rate_limits where key like '%@%'`)
    expect(rows).toEqual([])
  })
})

const OWNER = { address: '198.51.100.1' }
const STRANGER = { address: '203.0.113.77' }
const resetOf = ({ userId, email }: TestUser, code: string, from: CallOptions) =>
  maru.call(
    resetPassword,
    { userId, email, certificationType: CERTIFY_TYPE.resetPassword, certificationCode: code },
    from,
  )
const askFor = ({ userId, email }: TestUser, from: CallOptions, asUserId = userId) =>
  certify('resetPassword', email, asUserId, from)
const codeOf = ({ userId, email }: TestUser, from: CallOptions) =>
  getCode('resetPassword', email, userId, from)

/*
 * A stranger's actions on a mailbox take nothing from its owner (rules/account#certification-code,
 * rules/account#certification-limits).
 */
describe('a stranger', () => {
  let kim: TestUser
  beforeEach(async () => {
    await maru.database.pool.query('delete from rate_limits')
    kim = await maru.createUser()
  })

  test('leaves the owner’s codes valid and available however many a stranger requests', async () => {
    const code = await codeOf(kim, OWNER)
    for (let i = 0; i < 10; i += 1) {
      await askFor(kim, STRANGER)
      await askFor(kim, STRANGER, `other.${i}`)
    }
    expect((await resetOf(kim, code, OWNER)).status).toBe(200)
    expect((await askFor(kim, STRANGER)).status).toBe(429)
    expect((await askFor(kim, OWNER)).status).toBe(200)
  })

  test('leaves the owner’s five attempts despite wrong codes from strangers', async () => {
    const code = await codeOf(kim, OWNER)
    for (let i = 0; i < 12; i += 1)
      expect((await resetOf(kim, wrong(code), { address: `203.0.113.${i}` })).code).toBe(
        'CERTIFICATION_FAILED',
      )
    for (let i = 0; i < 4; i += 1)
      expect((await resetOf(kim, wrong(code), OWNER)).code).toBe('CERTIFICATION_FAILED')
    expect((await resetOf(kim, code, OWNER)).status).toBe(200)
  })

  test('has five attempts in total at a code that the owner requested', async () => {
    const code = await codeOf(kim, OWNER)
    const tries = Array.from({ length: 40 }, (_, i) =>
      resetOf(kim, wrong(code), { address: `203.0.113.${i}` }),
    )
    await Promise.all(tries)
    expect((await resetOf(kim, code, { address: '203.0.113.200' })).code).toBe('CERTIFICATION_FAILED')
    const { rows } = await maru.database.pool.query(
      'select tries, foreign_tries from certifications where email = $1',
      [kim.email],
    )
    expect(rows).toEqual([{ tries: 0, foreign_tries: 5 }])
  })

  test('keeps the owner’s code valid if a stranger requests one; using either ends both', async () => {
    const sent = await codeOf(kim, STRANGER)
    const own = await codeOf(kim, OWNER)
    expect((await resetOf(kim, sent, { address: '198.51.100.200' })).status).toBe(200)
    expect((await resetOf(kim, own, OWNER)).code).toBe('CERTIFICATION_FAILED')
  })
})
