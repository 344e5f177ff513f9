import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { LOCK } from '../db/locks.ts'
import { onOneConnection } from '../db/one-connection.ts'
import { StartRefusal } from '../start-refusal.ts'
import type { KeySecret } from './key-secret.ts'
import { storageIdOf } from './storage/pairing.ts'
import type { Storage } from './storage.ts'

/** A server says so often that it runs, and counts as running for so long after it. */
const SEEN_SECONDS = 10
const GONE_SECONDS = 30

/** What all servers of one database have to have alike. */
export interface Alike {
  config: Pick<Config, 'envelope' | 'storage'>
  storage: Storage
  keySecret: KeySecret
}

/** This process among the servers of its database. */
export interface Membership {
  /** Says again and again that it still runs. */
  job: { name: string; everySeconds: number; run: () => Promise<void> }
  /** Takes it off the list; while the database is away it goes by itself. */
  leave(): Promise<void>
}

interface Other {
  name: string
  ago: number
  storage: boolean
  keys: boolean
  envelope: boolean
}

/**
 * Puts this process on the list of the servers that run (rules/running#alike).
 * @throws {StartRefusal} when one of them has another storage, key secret or envelope
 */
export async function joinServers(pool: pg.Pool, alike: Alike): Promise<Membership> {
  const name = `${hostname()}, process ${process.pid}`
  let row: unknown[] = []
  await alone(pool, alike, async (client, traits) => {
    row = [randomUUID(), name, ...traits]
    await client.query(STAY, row)
  })
  let hasLeft = false
  return {
    job: {
      name: 'servers',
      everySeconds: SEEN_SECONDS,
      async run() {
        if (!hasLeft) await pool.query(STAY, row).catch(() => {})
      },
    },
    async leave() {
      hasLeft = true
      await pool.query('delete from servers where id = $1', [row[0]]).catch(() => {})
    },
  }
}

const STAY = `insert into servers (id, name, storage, key_secret, envelope) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set seen_at = now()`

/**
 * Looks whether this process may serve beside those that run.
 * @throws {StartRefusal} as `joinServers`
 */
export async function checkServers(pool: pg.Pool, alike: Alike): Promise<void> {
  await alone(pool, alike, () => Promise.resolve())
}

type Traits = [storage: string, keySecret: Buffer, envelope: Buffer]

/** Servers that start at once take turns: the first one decides what the others have to be like. */
async function alone(
  pool: pg.Pool,
  { config, storage, keySecret }: Alike,
  work: (client: pg.PoolClient, traits: Traits) => Promise<void>,
): Promise<void> {
  await onOneConnection(pool, async (client) => {
    await client.query('begin')
    try {
      await client.query('select pg_advisory_xact_lock($1)', [LOCK.servers])
      // Under the lock: of two on a new storage one marks it.
      const traits: Traits = [await storageIdOf(storage), keySecret.trait, envelopeOf(config)]
      await client.query('delete from servers where seen_at < now() - make_interval(secs => $1)', [
        GONE_SECONDS,
      ])
      const { rows } = await client.query<Other>(
        `select name, extract(epoch from now() - seen_at)::int as ago, storage <> $1 as storage,
          key_secret <> $2 as keys, envelope <> $3 as envelope from servers
          where storage <> $1 or key_secret <> $2 or envelope <> $3 order by seen_at desc limit 1`,
        traits,
      )
      if (rows[0]) throw new StartRefusal(refusalOf(rows[0], config))
      await work(client, traits)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

function refusalOf({ name, ago, storage, keys }: Other, { storage: place }: Alike['config']): string {
  const [variable, what] = storage
    ? [place.kind === 'disk' ? 'STORAGE_URL or DATA_DIR' : 'STORAGE_URL', 'keeps its files elsewhere']
    : keys
      ? ['KEY_SECRET and KEY_SECRET_OLD', 'derives its keys from another secret, or knows other former ones']
      : ['ENVELOPE_KEY and ENVELOPE_IV', 'wraps its calls with another key']
  return `${variable}: another server of this database (${name}, seen ${ago} s ago) ${what}. Give all servers of one database the same; to change it, stop them all first (one that was killed counts for ${GONE_SECONDS} s).`
}

const envelopeOf = ({ envelope: { key, iv } }: Alike['config']) =>
  createHash('sha256').update(`${key}\n${iv}`).digest()
