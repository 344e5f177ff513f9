/** Supports docs/operations.md#memory and design/runtime#idle-memory. */
import { setTimeout as sleep } from 'node:timers/promises'
import { listMenus } from '../../contract/common.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { listKeys } from '../../contract/keys.ts'
import { BULLET, createNotice, listNotices } from '../../contract/notices.ts'
import { listPartners } from '../../contract/partners.ts'
import { exportUsers, listUsers } from '../../contract/users.ts'
import { portalAt } from '../test-kit/portal.ts'
import { defineBench, say } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { startDemo } from './harness/maru.ts'
import { anyOf, quantile, since, measureTime } from './harness/numbers.ts'

/** Milliseconds of full load that measure the capacity. */
const CAPACITY_MS = 10_000
/** Milliseconds between two rounds of files. */
const FILE_EVERY_MS = 10_000
/** File that each round sends and receives, with its size in bytes. */
const FILE = { name: '측정.bin', size: 20 * 1024 * 1024 }

/** Returns a random page number from 1 to `most`. */
const page = (most: number) => 1 + Math.floor(Math.random() * most)
/** Calls of a working day. The list contains each as often as people make it, so that a random one is typical. */
const DAY = (
  [
    [30, () => [listNotices, { pinnedFirst: true, page: page(10) }]],
    [20, () => [listKeys, { page: page(50) }]],
    [10, () => [listKeys, { page: 1, requesterName: '김' }]],
    [15, () => [listUsers, { page: page(20), name: '김' }]],
    [5, () => [listPartners, { page: page(5) }]],
    [15, () => [listMenus, {}]],
    [4, () => [createNotice, { bulletCode: BULLET.notice, title: '측정', memo: '가'.repeat(500) }]],
  ] as [number, () => [Endpoint, object]][]
).flatMap(([times, call]) => Array.from({ length: times }, () => call))

/**
 * Measures the capacity for CAPACITY_MS, then the memory in each of `minutes` minutes at the part `load` of it. Prints
 * the range of the memory after the first tenth of them.
 */
export default defineBench({
  name: 'soak',
  claim: 'Under load Maru holds at most 300 MB, flat within a tenth over half an hour of mixed work',
  options: { minutes: 30, load: 0.7, connections: 32, profile: false },
  async run({ minutes, load, connections, profile }) {
    const maru = await startDemo({ profile })
    const session = await maru.signInAdmin()
    const caller = createCaller(maru.port, connections)
    const portal = portalAt(maru.port, session)
    let times: number[] = []
    let refused = 0

    /** Makes a call, and counts its time or its refusal. */
    async function ask([endpoint, input]: [Endpoint, object]): Promise<void> {
      const [status, ms] = await measureTime(() => caller.status(endpoint, input, as(session)))
      if (status === 200) times.push(ms)
      else refused += 1
    }

    /**
     * Makes random calls of DAY on all connections, together at most `perSecond`, and prints memory, rate, times and
     * refusals.
     * @param hasFiles true to also write a notice, send and receive FILE and export the users, with FILE_EVERY_MS
     * between rounds
     * @returns successful calls a second
     */
    async function work(what: string, ms: number, perSecond: number, hasFiles = false): Promise<number> {
      times = []
      refused = 0
      const begin = performance.now()
      let next = begin
      const keepCalling = async () => {
        while (since(begin) < ms) {
          next = Math.max(next, performance.now() - 1_000) + 1000 / perSecond
          if (next > performance.now()) await sleep(next - performance.now())
          await ask(anyOf(DAY)())
        }
      }
      const keepMoving = async () => {
        while (since(begin) < ms - FILE_EVERY_MS) {
          const noticeId = await portal.write()
          await portal.sendForm(noticeId, FILE)
          await portal.receive(noticeId)
          await ask([exportUsers, { format: 'xlsx', reason: '측정' }])
          await sleep(FILE_EVERY_MS)
        }
      }
      await Promise.all([...Array.from({ length: connections }, keepCalling), hasFiles && keepMoving()])
      const reached = (times.length / since(begin)) * 1000
      const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part).toFixed(1))
      say(
        `${what}: ${maru.residentMb().toFixed(0)} MB, ${reached.toFixed(0)} calls/s, p50 ${p50} ms, p99 ${p99} ms, ${refused} refused`,
      )
      return reached
    }

    say(`at rest ${maru.residentMb().toFixed(0)} MB`)
    const capacity = await work('full load', CAPACITY_MS, Infinity)
    say(`now ${load} of it for ${minutes} min, and every 10 s a file of 20 MB up and down and an export`)
    const sums: number[] = []
    for (let minute = 1; minute <= minutes; minute += 1) {
      await work(`minute ${minute}`, 60_000, capacity * load, true)
      sums.push(maru.residentMb())
    }
    // The first tenth fills caches and connections.
    const later = sums.slice(Math.floor(sums.length / 10))
    const [least, most] = [Math.min(...later), Math.max(...later)]
    say(`from ${least.toFixed(0)} to ${most.toFixed(0)} MB: ${((most / least - 1) * 100).toFixed(0)} %`)
  },
})
