/** Supports design/runtime#idle-memory, design/postgresql#watchdog and docs/operations.md#memory. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineBench } from './harness/bench.ts'
import { createFolder, startDatabase, startMaru } from './harness/maru.ts'
import { median, printHead, printRow } from './harness/numbers.ts'

/** Milliseconds to wait before the memory of an idle server is read, until the garbage of its start is collected. */
const REST_MS = 5_000

/**
 * Starts and stops Maru `starts` times after a first start, on a database elsewhere and on the embedded one. Prints the
 * median and the least time, the least CPU time, and the memory after the last start.
 */
export default defineBench({
  name: 'start',
  claim: 'A second start takes less than 1 s (2 s with its own database) and 150 MB at rest',
  options: { starts: 5 },
  async run({ starts }) {
    const dataDir = createFolder()
    const databases = {
      'a database elsewhere': { DATABASE_URL: (await startDatabase()).url, DATA_DIR: dataDir },
      "Maru's own": { DATABASE_URL: '', DATA_DIR: join(dataDir, 'own') },
    }
    printHead('database', 'second start, s', 'fastest, s', 'CPU, s', 'at rest, MB')
    for (const [name, env] of Object.entries(databases)) {
      // The first start creates the tables and compiles.
      await (await startMaru({ env })).stop()
      const seconds: number[] = []
      const cpu: number[] = []
      let resident = Number.NaN
      for (let i = 0; i < starts; i += 1) {
        const maru = await startMaru({ env })
        seconds.push(maru.startMs / 1000)
        cpu.push(maru.cpuMs() / 1000)
        if (i === starts - 1) {
          await sleep(REST_MS)
          resident = maru.residentMb()
        }
        await maru.stop()
      }
      const times = [median(seconds), Math.min(...seconds), Math.min(...cpu)].map((each) => each.toFixed(2))
      printRow(name, ...times, resident.toFixed(0))
    }
  },
})
