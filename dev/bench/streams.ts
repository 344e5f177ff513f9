/** Supports design/mail-and-notifications#notifications and docs/rules/notifications.md#live. */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_BASE } from '../../contract/envelope.ts'
import { countUnreadNotifications } from '../../contract/notifications.ts'
import { NOTIFICATION_STREAM_PATH } from '../../contract/notifications/count.ts'
import { notify } from '../../server/records/notifications.ts'
import { populate, type TestUser } from '../test-kit/people.ts'
import { atEnd, defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { startDemo } from './harness/maru.ts'
import { quantile, since, measureTime } from './harness/numbers.ts'

/** Milliseconds over which the CPU of the idle server is measured: once without streams, once with them. */
const REST_MS = 30_000
/** Milliseconds to wait for an event, at one stream or at all. A later event counts as not arrived. */
const ARRIVAL_MS = 15_000

/** A user's open stream. */
interface Stream extends TestUser {
  /** `performance.now()` when the last event arrived. */
  heardAt: number
}

/**
 * Measures memory and CPU of `people` idle streams. Then measures how soon `events` notifications of one user each
 * arrive, and a notice to all users, after which each client requests its count.
 */
export default defineBench({
  name: 'streams',
  claim: 'A thousand users with an open page cost little memory and CPU, and events reach them in seconds',
  options: { people: 1000, events: 60 },
  async run({ people, events }) {
    const maru = await startDemo({ env: { CALL_LIMIT_PERCENT: '100' } })
    const { db, pool } = maru.database
    const users = populate(maru.database, 'nobody logs in')
    const streams: Stream[] = []
    for (let i = 0; i < people; i += 1) streams.push({ ...(await users.createUser()), heardAt: 0 })

    // Connections to the database and compiled code are no part of a stream.
    const caller = createCaller(maru.port, 50)
    const ask = ({ session }: Stream) => caller.status(countUnreadNotifications, {}, as(session))
    await inGroups(streams, 50, ask)
    await sleep(5_000)
    const cpuAtRest = async () => {
      const before = maru.cpuMs()
      await sleep(REST_MS)
      return (((maru.cpuMs() - before) / REST_MS) * 100).toFixed(1)
    }
    const [restBefore, before] = [await cpuAtRest(), maru.residentMb()]
    await inGroups(streams, 100, (stream) => listen(maru.port, stream))
    await sleep(5_000)
    const after = maru.residentMb()
    say(
      `${people} streams; memory ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB with them: ${(((after - before) * 1024) / people).toFixed(1)} KB each`,
    )
    say(`CPU at rest: ${restBefore} % without a stream, ${await cpuAtRest()} % with them`)

    const times: number[] = []
    for (let i = 0; i < events; i += 1) {
      const stream = streams[(i * 7) % streams.length]
      if (stream === undefined) break
      // At any moment of the second in which servers look for events.
      await sleep(Math.random() * 1_000)
      const begin = performance.now()
      await notify(db, { kind: 'KEY_REVOKED', userId: stream.id, detail: { requestKey: String(i) } })
      while (stream.heardAt < begin && since(begin) < ARRIVAL_MS) await sleep(1)
      if (stream.heardAt >= begin) times.push(stream.heardAt - begin)
    }
    say(`an event of one person: ${arrivals(times, events)}`)
    const [cpu, begin] = [maru.cpuMs(), performance.now()]
    await pool.query(
      `insert into notices (bullet_code, title, author_id, must_read, published_at)
       select 'BE0001', '필독', min(id), true, now() from users`,
    )
    // A page asks for the number of what is new.
    const waiting = new Set(streams)
    const answers: Promise<[unknown, number]>[] = []
    while (waiting.size > 0 && since(begin) < ARRIVAL_MS) {
      for (const stream of waiting) {
        if (stream.heardAt < begin) continue
        waiting.delete(stream)
        answers.push(measureTime(() => ask(stream)))
      }
      await sleep(1)
    }
    const waits = (await Promise.all(answers)).map(([, took]) => took)
    const reached = streams.flatMap(({ heardAt }) => (heardAt < begin ? [] : [heardAt - begin]))
    say(`a must-read notice, to all, and each asks for the number: ${arrivals(reached, people)};`)
    say(
      `  an answer takes p50 ${ms(waits, 0.5)}, p99 ${ms(waits, 0.99)}; CPU of the server ${(maru.cpuMs() - cpu).toFixed(0)} ms`,
    )
  },
})

/**
 * Opens the event stream of a user, resolves at its first data, and stores the time of each event in `heardAt`. The
 * stream closes when the benchmark ends. Rejects if the status is not 200.
 */
function listen(port: number, stream: Stream): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const path = API_BASE + NOTIFICATION_STREAM_PATH
  const sent = request({ host: '127.0.0.1', port, path, headers: as(stream.session), agent: false })
  atEnd(() => sent.destroy())
  sent.on('error', reject)
  sent.on('response', (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`a stream was answered ${answer.statusCode}`))
    answer.on('error', () => {})
    answer.on('data', (chunk: Buffer) => {
      if (chunk.includes('data: new')) stream.heardAt = performance.now()
      resolve()
    })
  })
  sent.end()
  return promise
}

/** Runs work for all items in groups of `size`: the next group starts when all of a group are done. */
async function inGroups<T>(all: readonly T[], size: number, work: (one: T) => Promise<unknown>) {
  for (let at = 0; at < all.length; at += size) await Promise.all(all.slice(at, at + size).map(work))
}

/** Returns a quantile of times as text in ms; 'NaN ms' for an empty list. */
const ms = (times: readonly number[], part: number) => `${quantile(times, part).toFixed(0)} ms`

/** Returns a line about the events that arrived, of `count` sent: their number, and quantiles of their times. */
function arrivals(times: readonly number[], count: number): string {
  return `${times.length} of ${count} arrived, p50 ${ms(times, 0.5)}, p99 ${ms(times, 0.99)}, at most ${ms(times, 1)}`
}
