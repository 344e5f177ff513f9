/**
 * Aim: under 1,000 wrong passwords a second from 200 addresses, others sign in and work within twice their usual time. What is
 * reached stands in RESULTS.md.
 *
 * Who floods takes CPU of the same machine. In turns, the same flood meets a bare server beside Maru that refuses all of it at
 * once: what others take longer then is the machine's, the rest is Maru's.
 *
 * Run: npm run bench -- passwords (--seconds=60 --per-second=1000 --rounds=1)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { login } from '../../contract/account.ts'
import { SESSION_HEADER } from '../../contract/envelope.ts'
import { listNotices } from '../../contract/notices.ts'
import { urlOf } from '../../server/db/embedded.ts'
import { openDatabase } from '../../server/db/open.ts'
import { startSession } from '../../server/http/sessions.ts'
import { createPasswords } from '../../server/services/password.ts'
import { bytesOf, startBareServer, startFlood } from './flood/flood.ts'
import { besideBare, BESIDE_BARE_HEAD, together, timesOf } from './flood/times.ts'
import { startOwnDatabase } from './own-database.ts'
import { profiling, slowestFunctions } from './profile.ts'
import { caller, startAsPeopleDo } from './started-maru.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '1' },
    profile: { type: 'boolean', default: false },
  },
})
const PASSWORD = 'a-Good-One-2026'
const ADDRESSES = 200
const CONNECTIONS = 2_000
const ms = Number(asked.seconds) * 1000
const USUAL_MS = Math.min(ms, 20_000)

const own = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const url = urlOf(own.connection)
const profiles = join(dataDir, 'profiles')
const env = {
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  TRUST_PROXY: 'loopback',
  ...(asked.profile && profiling(profiles)),
}
const maru = await startAsPeopleDo(env, 'demo')
const database = await openDatabase({ connectionString: url, max: 1 }, () => {})
const browsers = caller(maru.port, 16)
const bare = await startBareServer()
try {
  const hash = await createPasswords().hash(PASSWORD)
  await database.pool.query('update users set password_hash = $1', [hash])
  const { rows } = await database.pool.query<{ id: string; login_id: string }>(
    'select id, login_id from users u where login_refusal(u) is null order by id',
  )
  const people = rows.map((row) => row.login_id)
  const session = await database.db
    .transaction()
    .execute((tx) => startSession(tx, { userId: rows[0]?.id ?? '', address: '10.1.0.0', userAgent: 'bench' }))
  // Twenty people in the office, and some who come from an address that nobody has come from before.
  const office = '203.0.113.7'
  const staff = people.slice(0, 20)
  const signIn = (loginId: string, from: string) =>
    browsers.call(login, { loginId, password: PASSWORD }, { 'x-forwarded-for': from })
  let strangers = 0
  const anew = () => `198.51.${(strangers >> 8) & 255}.${strangers++ & 255}`
  const asks = {
    'sign in at the office': () => signIn(anyOf(staff), office),
    'sign in from somewhere new': () => signIn(anyOf(people.slice(20)), anew()),
    'a list': () => browsers.call(listNotices, {}, { [SESSION_HEADER]: session, 'x-forwarded-for': office }),
  }
  const EVERY = { 'sign in at the office': 500, 'sign in from somewhere new': 700, 'a list': 50 }
  const measure = async (forMs: number) =>
    Promise.all(
      Object.entries(asks).map(
        async ([what, ask]) =>
          [what, await timesOf(ask, { ms: forMs, everyMs: EVERY[what as keyof typeof EVERY] })] as const,
      ),
    )
  for (const loginId of staff) await signIn(loginId, office)
  await measure(3_000)

  // Under IDs that are there, those of the office too, and under others; each round from addresses of its own.
  const wrongOf = (round: number) =>
    Array.from({ length: ADDRESSES * 5 }, (_, i) =>
      bytesOf(
        login,
        { loginId: i % 2 === 0 ? anyOf(people) : `nobody${i}`, password: `wrong-One-${i}` },
        { 'x-forwarded-for': `192.0.${round}.${i % ADDRESSES}` },
      ),
    )
  const cpuNow = (): Record<string, number> => ({
    ...Object.fromEntries(maru.threadsCpuMs()),
    PostgreSQL: own.cpuMs(),
  })
  /** Passwords that were looked at and were wrong, or refused in their turn: each is on the access log. */
  const lookedAt = async () => {
    const counted = await database.pool.query<{ count: number }>(
      "select count(*)::int as count from access_log where call = $1 and result <> ''",
      [login.path],
    )
    return counted.rows[0]?.count ?? 0
  }
  const flooded = async (port: number, round: number) => {
    const [before, looked] = [cpuNow(), await lookedAt()]
    const perSecond = Number(asked['per-second'])
    const stop = startFlood({ port, connections: CONNECTIONS, perSecond, requests: wrongOf(round) })
    const times = await measure(ms)
    const shares = Object.entries(cpuNow()).map(
      ([name, cpu]) => [name, ((cpu - (before[name] ?? 0)) / ms) * 100] as const,
    )
    const looks = (await lookedAt()) - looked
    say(`${await stop()}; ${looks} passwords looked at; ${maru.resident()[0]?.toFixed(0)} MB`)
    say(
      `CPU: ${shares
        .filter(([, share]) => share >= 1)
        .map(([name, share]) => `${name} ${share.toFixed(0)} %`)
        .join(', ')}`,
    )
    await sleep(2_000)
    return times
  }
  const rounds: Record<'usual' | 'beside' | 'meanwhile' | 'after', Awaited<ReturnType<typeof measure>>>[] = []
  for (let round = 0; round < Number(asked.rounds); round += 1) {
    const usual = await measure(USUAL_MS)
    const beside = await flooded(bare.port, round)
    const meanwhile = await flooded(maru.port, round)
    rounds.push({ usual, beside, meanwhile, after: await measure(USUAL_MS / 2) })
  }
  say(`\n${BESIDE_BARE_HEAD}`)
  const [usual, beside, meanwhile, after] = (['usual', 'beside', 'meanwhile', 'after'] as const).map((when) =>
    together(rounds.map((round) => round[when])),
  )
  for (const what of Object.keys(asks)) {
    say(besideBare(what, usual?.get(what), beside?.get(what), meanwhile?.get(what)))
    say(besideBare(`${what}, afterwards`, usual?.get(what), undefined, after?.get(what)))
  }
} finally {
  browsers.close()
  bare.stop()
  await maru.stop()
  if (asked.profile) for (const line of slowestFunctions(profiles)) say(line)
  await database.close()
  await own.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function anyOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
