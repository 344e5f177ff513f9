/**
 * Supports design/login-attempts#priority-of-logins-in-the-queue and docs/asvs.md 15.2.2. The flood uses CPU of the same machine, so it first meets a bare
 * server that refuses everything: what other callers wait longer then is the machine's, the rest is Maru's.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '../../contract/account.ts'
import { listNotices } from '../../contract/notices.ts'
import { createPasswords } from '../../server/services/password.ts'
import type { Bare } from './harness/bare.ts'
import { defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { startChild } from './harness/child.ts'
import { bytesOf, startLoad } from './harness/loads.ts'
import { signIn, startDemo } from './harness/maru.ts'
import { anyOf, printTimes, printTimesHead, type Times, timesOf } from './harness/numbers.ts'

/** Password of all users. */
const PASSWORD = 'a-Good-One-2026'
/** Number of client addresses that send wrong passwords. */
const ADDRESSES = 200
/** Maximum number of connections that send wrong passwords. */
const CONNECTIONS = 2_000
/** Client address from which the staff has logged in before. */
const OFFICE = '203.0.113.7'
/** Returns the header of a request from a client address. */
const from = (address: string) => ({ 'x-forwarded-for': address })

/** Phase of the measurement: before the flood, while it hits the bare server, while it hits Maru, and after it. */
type Phase = 'usual' | 'elsewhere' | 'flooded' | 'after'

/**
 * Measures logins and a list before a flood of wrong passwords, while it hits a bare server, while it hits Maru, and
 * afterwards, `rounds` times. Prints the rate and CPU of each flood, and the times of all rounds.
 */
export default defineBench({
  name: 'passwords',
  claim:
    'Under 1,000 wrong passwords a second from 200 addresses, others sign in and work within twice their usual time',
  options: { seconds: 60, 'per-second': 1000, rounds: 1, profile: false },
  async run({ seconds, rounds, profile, ...options }) {
    const ms = seconds * 1000
    const usualMs = Math.min(ms, 20_000)
    const maru = await startDemo({ env: { TRUST_PROXY: 'loopback' }, profile })
    const { pool } = maru.database
    const bare = await startChild<number>('harness/bare.ts', { kind: 'refusing' } satisfies Bare)
    const caller = createCaller(maru.port, 16)
    await pool.query('update users set password_hash = $1', [await createPasswords().hash(PASSWORD)])
    const users = await maru.users()
    const loginIds = users.map(({ loginId }) => loginId)
    const staff = loginIds.slice(0, 20)
    const session = await signIn(maru.database, users[0]?.id ?? '', OFFICE)
    const logIn = (loginId: string, address: string) =>
      caller.status(login, { loginId, password: PASSWORD }, from(address))
    let strangers = 0
    const newAddress = () => `198.51.${(strangers >> 8) & 255}.${strangers++ & 255}`
    const calls = [
      { what: 'sign in at the office', everyMs: 500, ask: () => logIn(anyOf(staff), OFFICE) },
      {
        what: 'sign in from somewhere new',
        everyMs: 700,
        ask: () => logIn(anyOf(loginIds.slice(20)), newAddress()),
      },
      {
        what: 'a list',
        everyMs: 50,
        ask: () => caller.status(listNotices, {}, { ...as(session), ...from(OFFICE) }),
      },
    ].map((call) => ({ ...call, times: timesOfPhases() }))
    const measure = async (phase: Phase, forMs: number) => {
      await Promise.all(
        calls.map(({ ask, everyMs, times }) => timesOf(ask, { ms: forMs, everyMs }, times[phase])),
      )
    }

    // Half of the IDs exist. The addresses differ in each round.
    const wrongOnes = (round: number) =>
      Array.from({ length: ADDRESSES * 5 }, (_, i) =>
        bytesOf(
          login,
          { loginId: i % 2 === 0 ? anyOf(loginIds) : `nobody${i}`, password: `wrong-One-${i}` },
          from(`192.0.${round}.${i % ADDRESSES}`),
        ),
      )
    /** Wrong passwords that were compared, and refusals in their turn: the access log has each. */
    const lookedAt = async () => {
      const { rows } = await pool.query<{ count: number }>(
        "select count(*)::int as count from access_log where call = $1 and result <> ''",
        [login.path],
      )
      return rows[0]?.count ?? 0
    }
    const cpuNow = () => new Map([...maru.threadsCpuMs(), ['PostgreSQL', maru.databaseCpuMs()] as const])
    const flood = async (phase: Phase, port: number, round: number) => {
      const [before, looked] = [cpuNow(), await lookedAt()]
      const perSecond = options['per-second']
      const stop = await startLoad({ port, connections: CONNECTIONS, perSecond, requests: wrongOnes(round) })
      await measure(phase, ms)
      const shares = [...cpuNow()].map(
        ([name, cpu]) => [name, ((cpu - (before.get(name) ?? 0)) / ms) * 100] as const,
      )
      const looks = (await lookedAt()) - looked
      say(`${await stop()}; ${looks} passwords looked at; ${maru.residentMb().toFixed(0)} MB`)
      const large = shares.filter(([, share]) => share >= 1)
      say(`CPU: ${large.map(([name, share]) => `${name} ${share.toFixed(0)} %`).join(', ')}`)
      await sleep(2_000)
    }

    for (const loginId of staff) await logIn(loginId, OFFICE)
    await Promise.all(calls.map(({ ask, everyMs }) => timesOf(ask, { ms: 3_000, everyMs })))
    for (let round = 0; round < rounds; round += 1) {
      await measure('usual', usualMs)
      await flood('elsewhere', bare.first, round)
      await flood('flooded', maru.port, round)
      await measure('after', usualMs / 2)
    }
    say('')
    printTimesHead()
    for (const { what, times } of calls) {
      printTimes(what, times.usual, times.elsewhere, times.flooded)
      printTimes(`${what}, afterwards`, times.usual, undefined, times.after)
    }
  },
})

/** Returns times without any call. */
const empty = (): Times => ({ taken: [], refused: [] })

/** Returns empty times for each phase. */
function timesOfPhases(): Record<Phase, Times> {
  return { usual: empty(), elsewhere: empty(), flooded: empty(), after: empty() }
}
