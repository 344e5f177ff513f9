/** Supports design/access-log#write-before-the-response, design/access-log#search: what the record of each look at personal data costs. */
import { listUsers } from '../../contract/users.ts'
import { defineBench, say } from './harness/bench.ts'
import { as } from './harness/caller.ts'
import { startChild } from './harness/child.ts'
import type { AppChildInput } from './harness/app-child.ts'
import type { LoadResult } from './harness/load.ts'
import { bytesOf, loadFor } from './harness/loads.ts'
import { createFolder, open, startDatabase } from './harness/maru.ts'
import { median, printHead, printRow } from './harness/numbers.ts'
import { fillCompany } from './lists/company.ts'

/**
 * Compares two servers on one database, with and without the access log, by the rate of a list of 8 and of 100 users.
 * The order changes in each round. Prints medians, and the number of rows in the log.
 */
export default defineBench({
  name: 'access-log',
  claim: 'The access log costs a list of users at most a tenth of its requests per second',
  options: { seconds: 5, rounds: 6, users: 100_000 },
  async run({ seconds, rounds, users }) {
    const own = await startDatabase()
    const dataDir = createFolder()
    const session = await fillCompany(own.url, 1000, { users, notices: 100, partners: 100 })
    const portOf = async (isLogged: boolean) => {
      const serving: AppChildInput = { connection: own.connection, dataDir, isLogged }
      return (await startChild<number>('harness/app-child.ts', serving)).first
    }
    const ports = { with: await portOf(true), without: await portOf(false) }

    printHead('a list of', 'requests/s with', 'without', 'less, %', 'p50 with, ms', 'without')
    for (const perPage of [8, 100]) {
      const loads = { with: [] as LoadResult[], without: [] as LoadResult[] }
      // The first round compiles.
      for (let round = -1; round < rounds; round += 1) {
        for (const which of round % 2 === 0
          ? (['with', 'without'] as const)
          : (['without', 'with'] as const)) {
          const request = bytesOf(listUsers, { perPage }, as(session))
          const load = await loadFor(round < 0 ? 1 : seconds, { port: ports[which], request })
          if (round >= 0) loads[which].push(load)
        }
      }
      const rates = [loads.with, loads.without].map((all) => median(all.map(({ perSecond }) => perSecond)))
      const waits = [loads.with, loads.without].map((all) => median(all.map(({ p50 }) => p50)))
      const [a = NaN, b = NaN] = rates
      printRow(`${perPage}`, ...rates.map((rate) => rate.toFixed(0)), (1 - a / b) * 100, ...waits)
    }
    const { pool } = await open(own.connection)
    const { rows } = await pool.query<{ n: number; groups: number }>(
      'select count(*)::int as n, count(distinct at)::int as groups from access_log',
    )
    say(`${rows[0]?.n} rows in ${rows[0]?.groups} groups`)
  },
})
