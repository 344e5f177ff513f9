import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import { withTimeout } from '../../services/with-timeout.ts'

/** Milliseconds that a scrape waits for the database: Prometheus needs a response while that hangs. */
export const SCRAPE_TIMEOUT_MS = 500

/** Row of QUERY. The help texts of the gauges describe the values. */
interface DatabaseState {
  missing: number
  quarantined: number
  unnamed: number
  formerKeys: number
  stopped: string | null
  doubted: boolean
  /** Seconds since the oldest queued mail was written; 0 if none is queued. */
  mailWaits: number
  /** Seconds that the oldest row of a log has waited for an export, by destination. */
  syslogWaits: number
  fileWaits: number
}

/** SQL query for the one row of all metrics that are read from the database. */
const QUERY = `select (select count(*)::int from notice_files where missing_since is not null) as missing,
  (select count(*)::int from uploads where quarantined_at is not null) as quarantined, coalesce(s.unnamed, 0) as unnamed, s.stopped,
  exists (select from heartbeat where doubted_since is not null) as doubted,
  coalesce((select extract(epoch from now() - min(created_at)) from mails where failed_at is null), 0)::int as "mailWaits",
  log_export_waits('syslog') as "syslogWaits", log_export_waits('files') as "fileWaits",
  (select coalesce(sum(live_keys), 0)::int from key_secrets where forgotten_at is null) as "formerKeys"
  from (select) as always left join storage_mark s on true`

/**
 * Registers the metrics that are read from the database. While it is unavailable or hangs, they show the last values and their
 * age; before the first ones, nothing (rules/running#metrics). A failed query is logged.
 */
export function registerDatabaseGauges(
  registry: Registry,
  pool: pg.Pool,
  logger: FastifyBaseLogger,
  { logExport }: Pick<Config, 'logExport'>,
): void {
  let latest: (DatabaseState & { at: number }) | undefined
  let reading: Promise<void> | undefined

  const read = async () => {
    try {
      const { rows } = await pool.query<DatabaseState>(QUERY)
      if (rows[0]) latest = { ...rows[0], at: Date.now() }
    } catch (error) {
      logger.warn({ err: error }, 'metrics of the database could not be read')
    } finally {
      reading = undefined
    }
  }
  // One query for all gauges of a scrape, and no second one while it runs.
  const readLatest = async () => {
    reading ??= read()
    await withTimeout(reading, SCRAPE_TIMEOUT_MS, () => {})
    return latest
  }

  const gauge = gaugesOf(registry, readLatest)
  gauge(
    'maru_database_known_age_seconds',
    'Age in seconds of the values that the other metrics read from the database',
    ({ at }) => (Date.now() - at) / 1000,
  )
  gauge(
    'maru_files_missing',
    'Attached files that the last sweep did not find in the storage',
    ({ missing }) => missing,
  )
  gauge(
    'maru_files_quarantined',
    'Infected files that are kept in quarantine until they expire',
    ({ quarantined }) => quarantined,
  )
  gauge(
    'maru_files_unnamed',
    'Orphaned files in the storage without a database row, as of the last sweep',
    ({ unnamed }) => unnamed,
  )
  gauge(
    'maru_clock_doubted',
    '1 while the clock is untrusted after a jump of more than a day, so that nothing expires or is deleted',
    ({ doubted }) => (doubted ? 1 : 0),
  )
  gauge(
    'maru_mail_waits_seconds',
    'Time in seconds that the oldest queued mail has waited; 0 if none is queued',
    ({ mailWaits }) => mailWaits,
  )
  gauge(
    'maru_log_export_waits_seconds',
    'Time in seconds that the oldest row of the audit or access log has waited for its export; 0 if none waits',
    ({ syslogWaits, fileWaits }) =>
      Math.max(logExport.receiver === null ? 0 : syslogWaits, logExport.fileDays === 0 ? 0 : fileWaits),
  )
  gauge(
    'maru_keys_of_former_secrets',
    'Unrevoked keys that are valid only while KEY_SECRET_OLD contains their secret',
    ({ formerKeys }) => formerKeys,
  )
  new Gauge({
    name: 'maru_sweep_stopped',
    help: '1 while the file sweep is stopped until an operator decides, by reason; npm run check explains it',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const state = await readLatest()
      this.reset()
      if (state === undefined) return
      for (const reason of ['owner', 'mark', 'mass']) this.set({ reason }, state.stopped === reason ? 1 : 0)
    },
  })
}

/**
 * Returns a function that registers gauges whose values come from one state.
 * @param read returns the state at every scrape; undefined removes the values
 */
export const gaugesOf =
  <S>(registry: Registry, read: () => Promise<S | undefined> | S | undefined) =>
  (name: string, help: string, valueOf: (state: S) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const state = await read()
        if (state === undefined) this.remove()
        else this.set(valueOf(state))
      },
    })
