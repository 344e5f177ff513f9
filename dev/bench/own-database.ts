import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../server/db/embedded.ts'
import { cpuWithChildren } from './started-maru.ts'

/** Starts a durable PostgreSQL of the measurement's own, in a folder that is gone when it stops. */
export async function startOwnDatabase(settings: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings })
  return {
    dataDir,
    connection: embedded.owner,
    /** CPU time of all its processes. */
    cpuMs: () =>
      cpuWithChildren(Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)),
    async stop() {
      await embedded.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
