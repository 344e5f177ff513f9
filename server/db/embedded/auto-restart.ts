import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../caught-errors.ts'
import type { Server } from './server.ts'

/** Most restarts within WITHIN_MS. After these the database is not started again, because another start would not help. */
const MOST_STARTS = 3
/** Milliseconds in which restarts are counted against MOST_STARTS. */
const WITHIN_MS = 60_000

/** Free bytes that a restart needs: two WAL segments. */
const STARTS_WITH_BYTES = 32 * 1024 ** 2
/** Milliseconds between checks for free disk space before a restart. */
const LOOKS_EVERY_MS = 1_000

/**
 * Watches a database and restarts it in the same place when it ends unexpectedly. Clients have to reconnect. Waits for 32 MB of
 * free disk space before a restart.
 * @param first the running database
 * @param again starts the database again
 * @param folder a folder on its disk
 * @param log receives each line about a restart
 * @returns the database across restarts; `exited` resolves with the reason if a restart fails, or is needed a fourth time within
 * a minute
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
    log(`${reason}. The disk is full: it is started again when 32 MB are free …`)
    const stillFull = async () => !isStopping && (await freeBytes(folder)) < STARTS_WITH_BYTES
    while (await stillFull()) await sleep(LOOKS_EVERY_MS)
  }

  /**
   * Restarts the database after it has ended.
   * @param reason line about its end
   */
  async function revive(reason: string): Promise<void> {
    await waitForRoom(reason)
    if (isStopping) return
    deaths = [...deaths.filter((at) => at > Date.now() - WITHIN_MS), Date.now()]
    if (deaths.length > MOST_STARTS) return exited.resolve(reason)
    log(`${reason}. Maru starts it again …`)
    try {
      server = await again()
      log('The database is available again.')
      watch()
    } catch (error) {
      if (!isStopping && (await freeBytes(folder)) < STARTS_WITH_BYTES) return revive(reason)
      exited.resolve(`${reason}; it could not be started again: ${messageOf(error)}`)
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

/** Returns the free bytes on the disk of a folder. */
const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
