import type { Server } from './server.ts'

/** One that dies more often than this within a minute is not helped by another start. */
const MOST_STARTS = 3
const WITHIN_MS = 60_000

/**
 * Starts the database again, in the same place, when it ends by itself: whoever is connected connects again.
 * @param again starts it where it was
 * @returns the same database; `exited` when it does not come back, or dies again and again
 */
export function keepRunning(
  first: Server,
  again: () => Promise<Server>,
  log: (line: string) => void,
): Pick<Server, 'exited' | 'stop'> {
  const exited = Promise.withResolvers<string>()
  let server = first
  let isStopping = false
  let deaths: number[] = []
  let reviving: Promise<void> | undefined

  async function revive(reason: string): Promise<void> {
    if (isStopping) return
    deaths = [...deaths.filter((at) => at > Date.now() - WITHIN_MS), Date.now()]
    if (deaths.length > MOST_STARTS) return exited.resolve(reason)
    log(`${reason}. It is started again …`)
    try {
      server = await again()
      log('The database is back.')
      watch()
    } catch (error) {
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
