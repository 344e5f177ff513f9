/**
 * Supports design/uploads-and-files#rows-before-bytes. Both servers work in turns, because machines are noisy: look at the ratios. Before each measure
 * the disk comes to rest, or a measure would pay for what the one before left in the cache.
 */
import { execFileSync } from 'node:child_process'
import { populate } from '../test-kit/people.ts'
import { type Portal, portalAt } from '../test-kit/portal.ts'
import { bytes, send } from '../test-kit/transfer.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Bare } from './harness/bare.ts'
import { defineBench } from './harness/bench.ts'
import { startChild } from './harness/child.ts'
import { createFolder, open, startDatabase, startMaru } from './harness/maru.ts'
import { median, printHead, printRow, measureTime } from './harness/numbers.ts'
import { cpuMs } from './harness/processes.ts'

const MB = 1024 ** 2
const AT_ONCE = 10
const SAMPLE_MS = 100

/** The methods of a portal by which files go up: tus as the page, and one request. */
const KINDS = ['sendTus', 'sendForm'] as const

async function upload(kind: (typeof KINDS)[number], portal: Portal, size: number): Promise<string> {
  const noticeId = await portal.write()
  await portal[kind](noticeId, { name: '측정.bin', size })
  return noticeId
}

/** A way to move all bytes. */
interface Way {
  name: string
  rounds: number
  /** Runs once before it is measured. */
  prepare?: () => Promise<unknown>
  maru: () => Promise<unknown>
  bare: () => Promise<unknown>
}

export default defineBench({
  name: 'files',
  claim: 'Files of 1000 MB move at 0.8 of a bare server or faster, with at most 64 MB of memory',
  options: { megabytes: 1000, only: '' },
  async run({ megabytes, only }) {
    const own = await startDatabase()
    const database = await open(own.connection)
    await migrate(database.db)
    const maru = await startMaru({ env: { DATABASE_URL: own.url, DATA_DIR: createFolder() } })
    const bare = await startChild<number>('harness/bare.ts', {
      kind: 'files',
      folder: createFolder(),
    } satisfies Bare)
    // A user may have three uploads open (rules/files#room), so each of ten has its own.
    const writers = populate(database, 'nobody logs in')
    const people = await Promise.all(Array.from({ length: AT_ONCE }, () => writers.createUser()))
    const portals = people.map(({ session }) => portalAt(maru.port, session))
    const [portal] = portals
    if (portal === undefined) return
    // Compiles everything once.
    for (const kind of KINDS) await upload(kind, portal, 8 * MB)
    const atRest = maru.residentMb()
    printHead('way', 'Maru MB/s', 'bare MB/s', 'ratio', 'from', 'to', 'CPU, times', 'memory, MB more')
    for (const way of waysOf(portals, portal, bare.first, megabytes * MB))
      if (way.name.includes(only)) await measure(way)

    async function measure(way: Way): Promise<void> {
      const rates = { maru: [] as number[], bare: [] as number[] }
      const cpu: number[] = []
      let most = 0
      await way.prepare?.()
      const sampling = setInterval(() => (most = Math.max(most, maru.residentMb())), SAMPLE_MS)
      for (let round = 0; round < way.rounds; round += 1) {
        const used = { maru: 0, bare: 0 }
        for (const who of round % 2 === 0 ? (['maru', 'bare'] as const) : (['bare', 'maru'] as const)) {
          execFileSync('sync')
          const pid = { maru: maru.pid, bare: bare.pid }[who]
          const before = cpuMs(pid)
          const [, ms] = await measureTime(way[who])
          rates[who].push(megabytes / (ms / 1000))
          used[who] = cpuMs(pid) - before
        }
        cpu.push(used.maru / used.bare)
      }
      clearInterval(sampling)
      const ratios = rates.maru.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN))
      const shown = [median(ratios), Math.min(...ratios), Math.max(...ratios), median(cpu)]
      printRow(
        way.name,
        median(rates.maru).toFixed(0),
        median(rates.bare).toFixed(0),
        ...shown.map((each) => each.toFixed(2)),
        (most - atRest).toFixed(0),
      )
    }
  },
})

function waysOf(portals: readonly Portal[], first: Portal, port: number, size: number): Way[] {
  const part = size / AT_ONCE
  const sendBare = (name: string, length: number) =>
    send({ port, path: `/${name}`, method: 'POST', headers: { 'Content-Length': length } }, bytes(length))
  const ways = KINDS.flatMap((kind): Way[] => [
    {
      name: `up by ${kind}`,
      rounds: 3,
      maru: () => upload(kind, first, size),
      bare: () => sendBare('one', size),
    },
    {
      name: `${AT_ONCE} up at once, ${kind}`,
      rounds: 7,
      maru: () => Promise.all(portals.map((portal) => upload(kind, portal, part))),
      bare: () => Promise.all(portals.map((_, index) => sendBare(`many-${index}`, part))),
    },
  ])
  let stored = ''
  const prepare = async () => {
    stored = await upload('sendTus', first, size)
    await sendBare('one', size)
  }
  const bare = () => send({ port, path: '/one', method: 'GET' })
  return [...ways, { name: 'down', rounds: 3, prepare, maru: () => first.receive(stored), bare }]
}
