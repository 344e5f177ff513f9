import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { LOCK } from '../db/locks.ts'
import { withConnection } from '../db/one-connection.ts'
import { StartRefusal } from '../startup-error.ts'
import type { KeySecret } from './key-secret.ts'
import { storageIdOf } from './storage/pairing.ts'
import type { Storage } from './storage.ts'

/** Seconds between two heartbeats. */
const HEARTBEAT_SECONDS = 10
/** Seconds without a heartbeat after which a server counts as stopped. */
export const GONE_SECONDS = 30

/** Configuration that must be identical on all servers of one database. */
export interface SharedServerConfig {
  config: Pick<Config, 'envelope' | 'storage'> & { secrets: Pick<Config['secrets'], 'smtpUrl'> }
  storage: Storage
  keySecret: KeySecret
}

/** Entry of this process in the list of running servers. */
export interface Registration {
  /** Job that writes the heartbeat. */
  job: { name: string; everySeconds: number; run: () => Promise<void> }
  /** Deletes the server from the list. If the database is unavailable, the entry expires. */
  leave(): Promise<void>
}

/** Running server with another configuration, with a flag for each part that differs. */
interface Conflict {
  name: string
  /** Seconds since its last heartbeat. */
  ago: number
  storage: boolean
  keys: boolean
  mail: boolean
}

/**
 * Returns the name of a server that runs on this database (host and process); undefined if none has sent a heartbeat within
 * GONE_SECONDS.
 */
export async function findServer(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from servers where seen_at >= now() - make_interval(secs => $1) limit 1',
    [GONE_SECONDS],
  )
  return rows[0]?.name
}

/**
 * Adds this process to the list of running servers (rules/running#alike), in which every heartbeat renews it.
 * @throws {StartRefusal} if a running server has another storage, key secret or envelope, or if only one of the two has a mail
 * server
 */
export async function registerServer(pool: pg.Pool, shared: SharedServerConfig): Promise<Registration> {
  const name = `${hostname()}, process ${process.pid}`
  let row: unknown[] = []
  await checkUnderLock(pool, shared, async (client, digests) => {
    row = [randomUUID(), name, ...digests]
    await client.query(WRITE_HEARTBEAT, row)
  })
  let hasLeft = false
  return {
    job: {
      name: 'servers',
      everySeconds: HEARTBEAT_SECONDS,
      async run() {
        if (!hasLeft) await pool.query(WRITE_HEARTBEAT, row).catch(() => {})
      },
    },
    async leave() {
      hasLeft = true
      await pool.query('delete from servers where id = $1', [row[0]]).catch(() => {})
    },
  }
}

/** SQL statement that adds a server to the list, or renews its last heartbeat. */
const WRITE_HEARTBEAT = `insert into servers (id, name, storage, key_secret, envelope) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set seen_at = now()`

/**
 * Checks that this process may run with the running servers, without adding it to the list.
 * @throws {StartRefusal} as `registerServer`
 */
export async function checkServerCompatibility(pool: pg.Pool, shared: SharedServerConfig): Promise<void> {
  await checkUnderLock(pool, shared, () => Promise.resolve())
}

/** Shared configuration in the form of the list: an ID and two digests, the last one of envelope and mail. */
type Digests = [storage: string, keySecret: Buffer, envelope: Buffer]

/** Compares the shared configuration with the running servers, then runs `work`. A lock makes servers that start concurrently wait. */
async function checkUnderLock(
  pool: pg.Pool,
  { config, storage, keySecret }: SharedServerConfig,
  work: (client: pg.PoolClient, digests: Digests) => Promise<void>,
): Promise<void> {
  await withConnection(pool, async (client) => {
    await client.query('begin')
    try {
      await client.query('select pg_advisory_xact_lock($1)', [LOCK.servers])
      // Under the lock, so that only one of two servers writes the ID of a new storage.
      const hasMail = config.secrets.smtpUrl !== ''
      const digests: Digests = [await storageIdOf(storage), keySecret.trait, digestOf(config, hasMail)]
      await client.query('delete from servers where seen_at < now() - make_interval(secs => $1)', [
        GONE_SECONDS,
      ])
      const { rows } = await client.query<Conflict>(
        `select name, extract(epoch from now() - seen_at)::int as ago, storage <> $1 as storage,
          key_secret <> $2 as keys, envelope = $4 as mail from servers
          where storage <> $1 or key_secret <> $2 or envelope <> $3 order by seen_at desc limit 1`,
        [...digests, digestOf(config, !hasMail)],
      )
      if (rows[0]) throw new StartRefusal(describeConflict(rows[0], config))
      await work(client, digests)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

/** Returns the line of the refusal: the variables, the other server, and what differs. */
function describeConflict(
  { name, ago, storage, keys, mail }: Conflict,
  { storage: location, secrets }: SharedServerConfig['config'],
): string {
  const [variable, what] = storage
    ? [location.kind === 'disk' ? 'STORAGE_URL or DATA_DIR' : 'STORAGE_URL', 'keeps its files elsewhere']
    : keys
      ? ['KEY_SECRET and KEY_SECRET_OLD', 'derives its keys from another secret, or knows other former ones']
      : mail
        ? ['SMTP_URL', secrets.smtpUrl === '' ? 'sends mails by SMTP' : 'writes its mails to files']
        : ['ENVELOPE_KEY and ENVELOPE_IV', 'wraps its calls with another key']
  return `${variable}: another server of this database (${name}, seen ${ago} s ago) ${what}. Give all servers of one database the same; to change it, stop them all first (one that was killed counts for ${GONE_SECONDS} s).`
}

/**
 * Returns the digest of the envelope and of whether there is a mail server. A server without one would write mails that another
 * one queued to its files, where no user finds them.
 */
const digestOf = ({ envelope: { key, iv } }: SharedServerConfig['config'], hasMail: boolean) =>
  createHash('sha256')
    .update(`${key}\n${iv}${hasMail ? '' : '\nno mail server'}`)
    .digest()
