import { afterAll, describe, expect, test } from 'vitest'
import { CERTIFY_TYPE, findId, resetPassword, signUp } from '../../../contract/account.ts'
import { certifier } from '../../test-kit/certified.ts'
import { type Answer, useMaru } from '../../test-kit/maru.ts'
import { sampleOf } from '../../test-kit/samples.ts'
import { type ReceivedMail, startSmtp } from '../../test-kit/smtp.ts'

/*
 * Against guessing and flooding (rules/account#certification-limits): exact when many come at once, and across two
 * servers.
 */
const smtp = await startSmtp()
const maru = useMaru({ SMTP_URL: smtp.url })
const { certify, allSent } = certifier(maru, smtp)
afterAll(() => smtp.close())

const find = (email: string, code: string) =>
  maru.call(findId, { email, certificationType: CERTIFY_TYPE.findId, certificationCode: code })

/** The number of a mail in the queue: the later one has the higher. */
const idOf = ({ headers }: ReceivedMail) => Number(/^<(\d+)\./.exec(headers['message-id'] ?? '')?.[1])

const limited = (answers: Answer[]) => answers.filter(({ status }) => status === 429)
const tenMinutesLater = () =>
  maru.database.pool.query(`update rate_limits set expire = 0 where key like 'certify-email:%'`)

describe('certification limits', () => {
  test('allow five codes per purpose and e-mail in ten minutes, then answer 429 with Retry-After and send no mail', async () => {
    const { email } = await maru.createUser()
    await allSent()
    const since = smtp.mails.length
    for (let i = 0; i < 5; i += 1) expect((await certify('findId', email)).status).toBe(200)
    const sixth = await certify('findId', email)
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
  })

  test('allow twenty codes per purpose and e-mail in a day', async () => {
    const email = 'day@example.com'
    for (let i = 0; i < 20; i += 1) {
      if (i % 5 === 0) await tenMinutesLater()
      expect((await certify('findId', email)).status).toBe(200)
    }
    await tenMinutesLater()
    const answer = await certify('findId', email)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(86_000)
  })

  test('hold exactly per e-mail when 40 addresses ask two servers at once', async () => {
    const { email } = await maru.createUser()
    const other = certifier({ ...maru, ...(await maru.startTwin()) }, smtp)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? certify : other.certify)('findId', email)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(limited(answers)).toHaveLength(35)
  })

  test('hold exactly at ten per address and minute when 40 e-mails are asked for on two servers at once', async () => {
    const other = certifier({ ...maru, ...(await maru.startTwin()) }, smtp)
    const options = { address: '203.0.113.7' }
    const ask = (i: number) =>
      (i % 2 === 0 ? certify : other.certify)('findId', `flood${i}@example.com`, undefined, options)
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
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
