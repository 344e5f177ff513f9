import type { FastifyBaseLogger } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'

/** How long a scrape waits for the database: Prometheus has to be answered while that hangs. */
const WITHIN_MS = 500

interface Known {
  missing: number
  quarantined: number
  unnamed: number
  formerKeys: number
  stopped: string | null
  doubted: boolean
  /** Since the one that has waited longest was written, in seconds; 0 when none waits. */
  mailWaits: number
}

const QUESTION = `select (select count(*)::int from notice_files where missing_since is not null) as missing,
  (select count(*)::int from uploads where quarantined_at is not null) as quarantined, coalesce(s.unnamed, 0) as unnamed, s.stopped,
  exists (select from heartbeat where doubted_since is not null) as doubted,
  coalesce((select extract(epoch from now() - min(created_at)) from mails where failed_at is null), 0)::int as "mailWaits",
  (select coalesce(sum(live_keys), 0)::int from key_secrets where forgotten_at is null) as "formerKeys"
  from (select) as always left join storage_mark s on true`

/**
 * Registers what only the database knows. While it is away or hangs, metrics say what they last knew of it, and how old that
 * is; of what was never known, nothing (rules/running#metrics).
 */
export function registerDatabaseGauges(registry: Registry, pool: pg.Pool, logger: FastifyBaseLogger): void {
  let known: (Known & { at: number }) | undefined
  let asking: Promise<void> | undefined

  const ask = async () => {
    try {
      const { rows } = await pool.query<Known>(QUESTION)
      if (rows[0]) known = { ...rows[0], at: Date.now() }
    } catch (error) {
      logger.warn({ err: error }, 'metrics: the database could not be asked')
    } finally {
      asking = undefined
    }
  }
  // One question for all gauges of a scrape, and no second one while it is not answered.
  const lately = async () => {
    asking ??= ask()
    const come = new AbortController()
    await Promise.race([asking, sleep(WITHIN_MS, undefined, { signal: come.signal }).catch(() => {})])
    come.abort()
    return known
  }

  const gauge = (name: string, help: string, valueOf: (now: Known & { at: number }) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await lately()
        if (now === undefined) this.remove()
        else this.set(valueOf(now))
      },
    })
  gauge(
    'maru_database_known_age_seconds',
    'How long ago the database told what the metrics of files and of the sweep say',
    ({ at }) => (Date.now() - at) / 1000,
  )
  gauge(
    'maru_files_missing',
    'Files of notices that the last sweep did not find in the storage',
    ({ missing }) => missing,
  )
  gauge(
    'maru_files_quarantined',
    'Files that the scanner found something in, until their days are over',
    ({ quarantined }) => quarantined,
  )
  gauge(
    'maru_files_unnamed',
    'Files that no row names, in quarantine or on their way there, as of the last sweep',
    ({ unnamed }) => unnamed,
  )
  gauge(
    'maru_clock_doubted',
    'Whether the clock jumped by more than a day, so that nothing ends or is removed by it',
    ({ doubted }) => (doubted ? 1 : 0),
  )
  gauge(
    'maru_mail_waits_seconds',
    'How long the mail has waited that waits longest: 0 when none does',
    ({ mailWaits }) => mailWaits,
  )
  gauge(
    'maru_keys_of_former_secrets',
    'Issued keys, not revoked, that are good only as long as KEY_SECRET_OLD names their secret',
    ({ formerKeys }) => formerKeys,
  )
  new Gauge({
    name: 'maru_sweep_stopped',
    help: 'Whether the sweep of files waits for a decision, by reason (npm run check)',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const now = await lately()
      this.reset()
      if (now === undefined) return
      for (const reason of ['owner', 'mark', 'mass']) this.set({ reason }, now.stopped === reason ? 1 : 0)
    },
  })
}
