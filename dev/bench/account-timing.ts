/**
 * Claim: nobody can tell by the time of an answer whether an e-mail or an ID belongs to somebody
 * (rules/account#nobody-learns-who-works-here). 200 tries each of every call that could tell, for an account that
 * exists and one that does not, in turn, through the whole production stack: envelope, limits, argon2id at its real
 * cost, the mail queue and the outbox. A difference counts when it is larger than what 95 of 100 random divisions of
 * the same times give by chance.
 *
 * Run: npm run bench -- account-timing
 */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { certifyEmail, CERTIFY_TYPE, login } from '../../contract/account.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createServices } from '../../server/create-services.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { mailJob } from '../../server/jobs/list.ts'
import { sealed } from '../test-kit/seal.ts'
import { startOwnDatabase } from './own-database.ts'

const TRIES = 200
const WARM_UP = 20

/** What is asked about the `i`th account, which is there or not. */
type Question = (id: string) => { endpoint: Endpoint; input: object }

const certify =
  (type: string, withId: boolean): Question =>
  (id) => ({
    endpoint: certifyEmail,
    input: { email: `${id}@example.com`, certificationType: type, ...(withId ? { userId: id } : {}) },
  })
const QUESTIONS: Record<string, Question> = {
  'certify, sign-up (TYP001)': certify(CERTIFY_TYPE.signUp, true),
  'certify, find ID (TYP002)': certify(CERTIFY_TYPE.findId, false),
  'certify, reset password (TYP003)': certify(CERTIFY_TYPE.resetPassword, true),
  'login, wrong password': (id) => ({ endpoint: login, input: { userId: id, password: 'wrong-Password-1' } }),
}

const own = await startOwnDatabase()
const database = await openDatabase(own.connection, () => {})
const config = readConfig({ DATA_DIR: own.dataDir, LOG_LEVEL: 'error' })
const logger = pino({ level: 'error' })
let calls = 0

try {
  await migrate(database.db)
  const services = await createServices({ config, database, logger, say: () => {} })
  services.jobs.start([mailJob(services.mail)])
  const app = await createApp({ database, services, logger })
  await makeUsers(await services.passwords.hash('푸른-바다-7고래'))

  process.stdout.write(`${TRIES} tries each, in turn; milliseconds, median (middle half)\n`)
  for (const [name, question] of Object.entries(QUESTIONS)) await measure(app, name, question)
  await app.close()
  await services.jobs.stop()
  services.mail.close()
} finally {
  await database.close()
  await own.stop()
}

async function makeUsers(hash: string): Promise<void> {
  await database.pool.query(
    `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code,
       approval_code)
     select 'known' || n, $1, '홍길동', '대리', '01012345678', 'known' || n || '@example.com', 'BEL001', 'AUT003',
       'MEMAP001' from generate_series(0, $2) as n`,
    [hash, TRIES + WARM_UP],
  )
  await database.pool.query('analyze')
}

async function measure(app: FastifyInstance, name: string, question: Question): Promise<void> {
  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < TRIES + WARM_UP; i += 1) {
    // Every other pair the other way round, so that what one leaves to do in the background slows both alike.
    const order = i % 2 === 0 ? (['known', 'ghost'] as const) : (['ghost', 'known'] as const)
    for (const kind of order) {
      const ms = await time(app, question(`${kind}${i}`))
      if (i >= WARM_UP) (kind === 'known' ? known : unknown).push(ms)
    }
  }
  const difference = median(known) - median(unknown)
  const noise = chance(known, unknown)
  process.stdout.write(
    `${name}: exists ${describe(known)}, does not ${describe(unknown)}; difference ${difference.toFixed(2)}, ` +
      `noise ${noise.toFixed(2)}: ${Math.abs(difference) <= noise ? 'nothing to see' : 'IT SHOWS'}\n`,
  )
}

async function time(app: FastifyInstance, { endpoint, input }: ReturnType<Question>): Promise<number> {
  calls += 1
  const begin = performance.now()
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: API_BASE + endpoint.path,
    // An address per call: the limits are counted, and never reached.
    remoteAddress: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
    headers: { 'content-type': 'application/json' },
    payload: sealed(endpoint, input),
  })
  const ms = performance.now() - begin
  const expected = endpoint.path === login.path ? 400 : 200
  if (statusCode !== expected) throw new Error(`${endpoint.path} answered ${statusCode}: ${body}`)
  return ms
}

/** The difference of medians that 95 of 100 random divisions of all these times stay below. */
function chance(a: number[], b: number[]): number {
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

function quantile(numbers: number[], q: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * q)] ?? Number.NaN
}

function median(numbers: number[]): number {
  return quantile(numbers, 0.5)
}

function describe(numbers: number[]): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((q) => quantile(numbers, q).toFixed(2))
  return `${middle} (${low} to ${high})`
}
