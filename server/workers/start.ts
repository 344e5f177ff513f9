import { createLog } from '../log.ts'
import { prepareMaru, type RunningMaru, type StartOptions } from '../start.ts'
import { superviseWorkers } from './supervise.ts'

/**
 * Starts Maru as `WORKERS` processes on one port (rules/running#workers). This one does what a start does once and keeps
 * Maru's own database; the workers serve.
 * @throws {StartRefusal} for what the operator can fix, in one line
 */
export async function startWorkers(options: StartOptions): Promise<RunningMaru> {
  const { config } = options
  const logger = createLog(config.logLevel)
  const { databaseUrl, databaseExited, close } = await prepareMaru(options)
  try {
    const { leavingSeconds, runningSeconds } = config.stop
    // Only this process changes the schema.
    const own = { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: '' }
    const workers = await superviseWorkers(
      config.workers,
      own,
      logger,
      (leavingSeconds + runningSeconds) * 1000,
    )
    return {
      url: workers.url,
      databaseExited,
      async stop() {
        try {
          await workers.stop()
        } finally {
          await close()
        }
      },
    }
  } catch (error) {
    await close().catch((failure: unknown) => logger.error({ err: failure }, 'closing failed'))
    throw error
  }
}
