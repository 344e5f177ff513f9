import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './server.ts'

/** One that dies more often than this within a minute is not helped by another start. */
const MOST_STARTS = 3
const WITHIN_MS = 60_000

/** Two files of its journal. */
const STARTS_WITH_BYTES = 32 * 1024 ** 2
const LOOKS_EVERY_MS = 1_000

/**
 * Starts the database again, in the same place, when it ends by itself: whoever is connected connects again.
 * @param again starts it where it was
 * @param folder whose disk it lies on
 * @returns the same database; `exited` when it does not come back, or dies again and again
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

  /** On a full disk it ends when its journal needs room, and would do so again while it repairs itself. */
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
