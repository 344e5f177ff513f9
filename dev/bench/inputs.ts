/**
 * Supports design/requests-and-load#expensive-inputs and docs/asvs.md 15.2.2. It tries bodies at the size limit of each call; `server/hostile-text.test.ts`
 * tries texts at the limit of their field. CPU of this thread between two turns of the event loop counts, not time; the
 * best of three, because memory is collected now and then.
 */
import type { FastifyInstance } from 'fastify'
import { type Endpoint, maxBytesOf } from '../../contract/endpoint.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { MEMO_FORMAT } from '../../contract/notices.ts'
import { toWire } from '../../contract/wire.ts'
import { generateDemo } from '../demo/generate.ts'
import { PASSWORD, populate } from '../test-kit/people.ts'
import { SAMPLE, sampleOf } from '../test-kit/samples.ts'
import { bodyOf } from '../test-kit/seal.ts'
import { createBenchApp } from './harness/app.ts'
import { defineBench, say } from './harness/bench.ts'
import { as } from './harness/caller.ts'
import { signIn, startDatabase } from './harness/maru.ts'
import { printHead, printRow } from './harness/numbers.ts'
import { type Slow, slowBodies, slowEnvelopes, slowInputs } from './inputs/slow.ts'

/** CPU milliseconds above which an input is a finding. */
const MAX_MS = 50

/**
 * Sends slow inputs to each endpoint whose path contains one of the parts in `only`, except forms. Prints the worst of
 * each. Sets exit status 1 if one takes more than MAX_MS.
 * @param only parts of paths, separated by commas; '' for all
 */
export default defineBench({
  name: 'inputs',
  claim: 'No input takes the event loop for more than 50 ms of CPU',
  options: { only: '' },
  async run({ only }) {
    const own = await startDatabase()
    const { app, database, services } = await createBenchApp(own.connection, { DATA_DIR: own.dataDir })
    const { storage, passwords, keySecret } = services
    await generateDemo(database.db, { storage, passwords, now: new Date(), seed: 1, keySecret })
    await database.pool.query('analyze')
    const people = populate(database, await passwords.hash(PASSWORD))
    await people.createUser({ loginId: SAMPLE.userId, email: SAMPLE.email })
    await people.createPartner({ code: SAMPLE.partner })
    const { token } = await people.createService()
    // The administrator gets the password of the samples, so that calls that ask for it read on.
    const { rows } = await database.pool.query<{ id: string }>(
      `update users set password_hash = (select password_hash from users where login_id = $1) where login_id = 'admin'
       returning id`,
      [SAMPLE.userId],
    )
    const headers = {
      'content-type': 'application/json',
      ...as(await signIn(database, rows[0]?.id ?? '')),
      authorization: `Bearer ${token}`,
    }
    let [tried, findings] = [0, 0]
    printHead('call', 'most at once, ms', 'in all', 'with')
    for (const entry of endpoints) {
      const { endpoint } = entry
      if (endpoint.body === 'multipart') continue
      if (!only.split(',').some((part) => endpoint.path.includes(part))) continue
      const sample = sampleOf(entry)
      // Makes the server parse the text, not only store it.
      if ('memoFormat' in sample) sample['memoFormat'] = MEMO_FORMAT.markdown
      await search(endpoint, toWire(endpoint, sample))
    }
    say(`${tried} inputs, ${findings} findings`)
    if (findings > 0) process.exitCode = 1

    /**
     * Sends all slow inputs of an endpoint, and prints the worst and each above MAX_MS. Repeats one above it twice, and
     * counts the least.
     * @throws {Error} if an input is larger than the endpoint takes
     */
    async function search(endpoint: Endpoint, sample: unknown): Promise<void> {
      const most = maxBytesOf(endpoint)
      // An envelope makes a body a third longer.
      const room = Math.floor((most - 100) * 0.74)
      const inputs: [Iterable<Slow>, (text: string) => string][] = [
        [slowInputs(sample, room), bodyOf],
        [slowBodies(room), bodyOf],
        [slowEnvelopes(most), (text) => text],
      ]
      const cpu = (payload: string) => cpuOf(app, { url: API_BASE + endpoint.path, payload, headers })
      let worst = { atOnce: 0, inAll: 0, label: '' }
      for (const [all, seal] of inputs) {
        for (const [label, json] of all) {
          const payload = seal(json)
          if (payload.length > most) throw new Error(`${label} of ${endpoint.path} is too large`)
          tried += 1
          let took = await cpu(payload)
          for (let again = 0; again < 2 && took.atOnce > MAX_MS; again += 1) {
            const next = await cpu(payload)
            if (next.atOnce < took.atOnce) took = next
          }
          if (took.atOnce > worst.atOnce) worst = { ...took, label }
          if (took.atOnce <= MAX_MS) continue
          findings += 1
          say(`FOUND ${endpoint.path}: ${took.atOnce.toFixed(0)} ms at once with ${label}`)
        }
      }
      printRow(endpoint.path, worst.atOnce, worst.inAll, worst.label)
    }
  },
})

/** Returns the CPU ms of this thread for a call: the most between two turns of the event loop, and in all. */
async function cpuOf(
  app: FastifyInstance,
  request: { url: string; payload: string; headers: Record<string, string> },
): Promise<{ atOnce: number; inAll: number }> {
  let [atOnce, inAll, isOver] = [0, 0, false]
  let last = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    const ms = (user + system) / 1000
    atOnce = Math.max(atOnce, ms)
    // A turn without work is the measurement's.
    if (ms > 0.2) inAll += ms
    if (!isOver) setImmediate(look)
  }
  const answer = app.inject({ method: 'POST', ...request })
  setImmediate(look)
  await answer
  isOver = true
  await new Promise((resolve) => setImmediate(resolve))
  return { atOnce, inAll }
}
