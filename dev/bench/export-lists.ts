/** Supports design/lists-and-counts#export. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../../contract/endpoint.ts'
import { exportKeys, listKeys } from '../../contract/keys.ts'
import { exportUsers, listUsers } from '../../contract/users.ts'
import { defineBench } from './harness/bench.ts'
import { as, createCaller } from './harness/caller.ts'
import { createFolder, type Maru, startDatabase, startMaru } from './harness/maru.ts'
import { median, printHead, printRow, since, measureTime } from './harness/numbers.ts'
import { fillCompany } from './lists/company.ts'

/** Megabytes by which memory may grow during an export. From this growth on, the exit status is 1. */
const MAX_GROWTH_MB = 100

/**
 * Lists that option `lists` may name: the list, its export, and a filter that matches few rows, for the first calls.
 */
const LISTS: Record<string, [list: Endpoint, exporting: Endpoint, few: object]> = {
  users: [listUsers, exportUsers, { name: '김민서' }],
  keys: [listKeys, exportKeys, { issuedFrom: '2025-05-01', issuedTo: '2025-05-01' }],
}

/** Exports each of `lists` from a server of its own (`measure`). */
export default defineBench({
  name: 'export-lists',
  claim: 'An export of 1,000,000 rows takes less than 100 MB of memory while other calls are answered',
  options: { rows: 1_000_000, lists: Object.keys(LISTS).join() },
  async run({ rows, lists }) {
    const { url } = await startDatabase()
    const session = await fillCompany(url, rows, { users: rows, notices: 10, partners: 1000 })
    printHead('export', 'MB', 's', 'first byte, ms', 'memory, MB', 'at most', 'lists', 'p50, ms', 'slowest')
    for (const name of lists.split(',')) {
      // A server for each list: what one leaves in memory is not what the other takes.
      const maru = await startMaru({ env: { DATABASE_URL: url, DATA_DIR: createFolder() } })
      await measure(name, maru, as(session))
      await maru.stop()
    }
  },
})

/**
 * Exports a list as CSV and as Excel while the list is called, and prints times and memory. Sets exit status 1 from
 * MAX_GROWTH_MB on.
 * @param session headers of the user
 * @throws {Error} if LISTS has no such list, or a response is not 200
 */
async function measure(name: string, maru: Maru, session: Record<string, string>): Promise<void> {
  const [list, exporting, few] = LISTS[name] ?? []
  if (list === undefined || exporting === undefined) throw new Error(`There is no list "${name}"`)
  const caller = createCaller(maru.port, 4)
  // Memory that a server keeps after its first work is not counted as part of an export.
  for (let page = 1; page <= 20; page += 1) await drain(await caller.open(list, { ...few, page }, session))
  await drain(await caller.open(exporting, { ...few, format: 'xlsx', reason: 'bench' }, session))
  for (const format of ['csv', 'xlsx']) {
    const before = maru.residentMb()
    let most = before
    const done = new AbortController()
    const waits: number[] = []
    const keepListing = async () => {
      while (!done.signal.aborted) {
        waits.push((await measureTime(async () => drain(await caller.open(list, {}, session))))[1])
        most = Math.max(most, maru.residentMb())
        await sleep(200)
      }
    }
    const listing = keepListing()
    const begin = performance.now()
    const answer = await caller.open(exporting, { format, reason: 'bench' }, session)
    const firstMs = since(begin)
    const bytes = await drain(answer)
    const seconds = since(begin) / 1000
    done.abort()
    await listing
    const memory = [before, most].map((mb) => mb.toFixed(0))
    const mb = (bytes / 1024 ** 2).toFixed(0)
    printRow(
      `${name} as ${format}`,
      mb,
      seconds,
      firstMs.toFixed(0),
      ...memory,
      String(waits.length),
      ...[median(waits), Math.max(...waits)].map((ms) => ms.toFixed(0)),
    )
    if (most - before >= MAX_GROWTH_MB) process.exitCode = 1
  }
}

/**
 * Reads a response to its end without keeping it, and returns its number of bytes.
 * @throws {Error} if its status is not 200
 */
async function drain(answer: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
  return bytes
}
