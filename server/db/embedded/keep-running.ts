import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './server.ts'

/** Starts within a minute after which the database is not started again. Another start would not help. */
const MOST_STARTS = 3
const WITHIN_MS = 60_000

/** Free bytes that a restart needs: two WAL segments. */
const STARTS_WITH_BYTES = 32 * 1024 ** 2
const LOOKS_EVERY_MS = 1_000

/**
 * Restarts the database in the same place when it ends unexpectedly. Clients have to reconnect.
 * @param again starts it where it was
 * @param folder the folder whose disk holds it
 * @returns the same database; `exited` resolves if it does not start again, or ends repeatedly
 */
export function keepRunning(
  first: Server,
  again: () => Promise<Server>,
  { folder, log }: { folder: string; log: (line: string) => void },
): Pick<Server, 'exited' | 'stop'> {
  const exited = Promise.withResolvers<string>()
  let server = first
  let isStopping = false
  let deaths: number[] = []
  let reviving: Promise<void> | undefined

  /**
   * Waits for free disk space. On a full disk the database ends when its WAL needs space, and would end again during its
   * recovery.
   */
  async function waitForRoom(reason: string): Promise<void> {
    if ((await freeBytes(folder)) >= STARTS_WITH_BYTES) return
    log(`${reason}. The disk is full: it is started again when there are 32 MB of room …`)
    const stillFull = async () => !isStopping && (await freeBytes(folder)) < STARTS_WITH_BYTES
    while (await stillFull()) await sleep(LOOKS_EVERY_MS)
  }

  async function revive(reason: string): Promise<void> {
    await waitForRoom(reason)
    if (isStopping) return
    deaths = [...deaths.filter((at) => at > Date.now() - WITHIN_MS), Date.now()]
    if (deaths.length > MOST_STARTS) return exited.resolve(reason)
    log(`${reason}. It is started again …`)
    try {
      server = await again()
      log('The database is back.')
      watch()
    } catch (error) {
      if (!isStopping && (await freeBytes(folder)) < STARTS_WITH_BYTES) return revive(reason)
      exited.resolve(
        `${reason}; it did not come back: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  const watch = () =>
    void server.exited.then((reason) => {
      reviving = revive(reason)
    })

  watch()
  return {
    exited: exited.promise,
    async stop() {
      isStopping = true
      await reviving
      await server.stop()
    },
  }
}

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
