/**
 * Supports ARCHITECTURE.md, design/certification#verification-codes and docs/rules/account.md#account-enumeration. Calls for accounts that exist and that do not
 * take turns through the production stack. A difference counts if it exceeds 95 of 100 random divisions of the same times.
 */
import { certifyEmail, CERTIFY_TYPE, login } from '../../contract/account.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { mailJob } from '../../server/jobs/schedule.ts'
import { sealInput } from '../test-kit/seal.ts'
import { createBenchApp } from './harness/app.ts'
import { defineBench } from './harness/bench.ts'
import { startDatabase } from './harness/maru.ts'
import { median, printHead, printRow, quantile, measureTime } from './harness/numbers.ts'

/** Number of first calls of each kind whose times are not counted. */
const WARM_UP = 20

/** Call about an account: returns the endpoint and the input for a login ID. */
type Question = (id: string) => [Endpoint, object]

/**
 * Returns the call that requests a verification code for the email of a login ID.
 * @param certificationType one of CERTIFY_TYPE
 * @param withId true to send the login ID, too
 */
const certify =
  (certificationType: string, withId: boolean): Question =>
  (id) => [certifyEmail, { email: `${id}@example.com`, certificationType, ...(withId ? { userId: id } : {}) }]
/** Calls that are measured, by the label of their row. */
const QUESTIONS: Record<string, Question> = {
  'certify, sign-up (TYP001)': certify(CERTIFY_TYPE.signUp, true),
  'certify, find ID (TYP002)': certify(CERTIFY_TYPE.findId, false),
  'certify, reset password (TYP003)': certify(CERTIFY_TYPE.resetPassword, true),
  'login, wrong password': (id) => [login, { loginId: id, password: 'wrong-Password-1' }],
}

/**
 * Makes each call for accounts that exist and for others, alternately, and prints both medians, their difference and
 * its noise. A difference above the noise is printed as 'IT SHOWS', and does not change the exit status.
 */
export default defineBench({
  name: 'account-timing',
  claim: 'No time of an answer tells whether an e-mail or an ID belongs to someone',
  options: { tries: 200 },
  async run({ tries }) {
    const own = await startDatabase()
    const env = { DATA_DIR: own.dataDir, CALL_LIMIT_PERCENT: '100' }
    const { app, database, services } = await createBenchApp(own.connection, env)
    services.jobs.start([mailJob(services.mail)])
    await database.pool.query(
      `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code,
         approval_code)
       select 'known' || n, $1, '홍길동', '대리', '01012345678', 'known' || n || '@example.com', 'BEL001', 'AUT003',
         'MEMAP001' from generate_series(0, $2) as n`,
      [await services.passwords.hash('푸른-바다-7고래'), tries + WARM_UP],
    )
    await database.pool.query('analyze')
    let calls = 0

    /**
     * Makes a call from a new address.
     * @throws {Error} if the status is not 200, or for a login not 400
     */
    async function ask([endpoint, input]: [Endpoint, object]): Promise<void> {
      calls += 1
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: API_BASE + endpoint.path,
        // An address per call: limits count it and are never reached.
        remoteAddress: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
        headers: { 'content-type': 'application/json' },
        payload: sealInput(endpoint, input),
      })
      if (statusCode !== (endpoint === login ? 400 : 200))
        throw new Error(`${endpoint.path} answered ${statusCode}: ${body}`)
    }

    printHead('call', 'exists, ms', 'middle half', 'does not', 'middle half', 'difference', 'noise', '')
    for (const [name, question] of Object.entries(QUESTIONS)) {
      const times = { known: [] as number[], ghost: [] as number[] }
      for (let i = 0; i < tries + WARM_UP; i += 1) {
        // In changing order: what a call leaves to do in the background slows both alike.
        for (const kind of i % 2 === 0 ? (['known', 'ghost'] as const) : (['ghost', 'known'] as const)) {
          const [, ms] = await measureTime(() => ask(question(`${kind}${i}`)))
          if (i >= WARM_UP) times[kind].push(ms)
        }
      }
      const difference = median(times.known) - median(times.ghost)
      const noise = noiseOf(times.known, times.ghost)
      const shown = [times.known, times.ghost].flatMap((of) => [median(of).toFixed(2), middleHalf(of)])
      const verdict = Math.abs(difference) <= noise ? 'nothing to see' : 'IT SHOWS'
      printRow(name, ...shown, difference.toFixed(2), noise.toFixed(2), verdict)
    }
  },
})

/** Returns the difference of medians that 95 of 100 random divisions of all these times stay below. */
function noiseOf(a: readonly number[], b: readonly number[]): number {
  const all = [...a, ...b]
  const differences = Array.from({ length: 2000 }, () => {
    for (let i = all.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1))
      ;[all[i], all[j]] = [all[j] ?? 0, all[i] ?? 0]
    }
    return Math.abs(median(all.slice(0, a.length)) - median(all.slice(a.length)))
  })
  return quantile(differences, 0.95)
}

/** Returns the quartiles of times, as a text. */
const middleHalf = (times: readonly number[]) =>
  `${quantile(times, 0.25).toFixed(2)} to ${quantile(times, 0.75).toFixed(2)}`
