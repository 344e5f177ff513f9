import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { findSystemPostgres } from '../../test/system-postgres.ts'
import { startEmbedded } from '../../../server/db/embedded.ts'
import { checkCluster, runInitdb } from '../../../server/db/embedded/cluster.ts'
import { chooseIdentity } from '../../../server/db/embedded/os-user.ts'
import { launch } from '../../../server/db/embedded/server.ts'
import { atEnd } from '../harness/bench.ts'

/** A PostgreSQL that runs with its default settings, whose data is kept between runs. */
export interface RunningPostgres {
  /** Returns the URL of a database. Creates the database if it is missing. */
  urlOf(name: string): Promise<string>
  /** Stops the server. May be repeated. */
  stop(): Promise<void>
}

/** Folder of the kept data. */
const FOLDER = join(import.meta.dirname, '..', 'data', 'lists')

/** Names of the two servers: the embedded PostgreSQL, and that of a system package. */
export const SERVER_NAMES = ['own', 'system']

/**
 * Starts one of `SERVER_NAMES`, with the data of earlier runs. Any name but `system` starts the embedded PostgreSQL. It
 * stops when the benchmark ends.
 * @throws {Error} if the system has no PostgreSQL 15 or newer
 */
export async function startKept(name: string): Promise<RunningPostgres> {
  // PostgreSQL passes through it, whatever user it runs as.
  mkdirSync(FOLDER, { recursive: true, mode: 0o711 })
  const started = name === 'system' ? await startSystem() : await startOwn()
  atEnd(() => started.stop())
  return started
}

/** Starts the embedded PostgreSQL. */
async function startOwn(): Promise<RunningPostgres> {
  const own = await startEmbedded({ dataDir: join(FOLDER, 'own'), log: () => {} })
  return running(own.owner, () => own.stop(), '')
}

/**
 * Starts the PostgreSQL of the system's package, and creates its cluster at first.
 * @throws {Error} if the system has no PostgreSQL 15 or newer
 */
async function startSystem(): Promise<RunningPostgres> {
  const found = findSystemPostgres()
  if (found === undefined) throw new Error('there is no PostgreSQL from 15 on in this system')
  const place = join(FOLDER, `system-${found.version}`)
  const dir = join(place, 'data')
  const logFile = join(place, 'log')
  mkdirSync(place, { recursive: true, mode: 0o711 })
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const identity = chooseIdentity(dir)
  const { home } = found
  if (!checkCluster(dir, String(found.version)))
    await runInitdb({ dir, home, identity, logFile }, dir, ['--auth=trust'])
  const server = await launch({ dir, home, identity, logFile, settings: {}, log: () => {} })
  const { host, port } = server
  return running({ host, port, user: 'maru' }, () => server.stop(), `locale 'C.UTF-8'`)
}

/**
 * Returns a running server.
 * @param end stops the server; is called once
 * @param locale clause of `create database`
 */
function running(
  { host, port, user }: { host: string; port: number; user: string },
  end: () => Promise<void>,
  locale: string,
): RunningPostgres {
  let ended: Promise<void> | undefined
  return {
    async urlOf(name) {
      const admin = new Client({ host, port, user, database: 'postgres' })
      await admin.connect()
      const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
      if (rowCount === 0)
        await admin.query(`create database ${name} template template0 encoding 'UTF8' ${locale}`)
      await admin.end()
      return `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
    },
    stop: () => (ended ??= end()),
  }
}
