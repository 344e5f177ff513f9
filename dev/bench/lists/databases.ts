/** The two databases that lists are measured on: Maru's own and the system's, kept between runs. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { findSystemPostgres } from '../../test/system-postgres.ts'
import { startEmbedded } from '../../../server/db/embedded.ts'
import { checkCluster, runInitdb } from '../../../server/db/embedded/cluster.ts'
import { chooseIdentity } from '../../../server/db/embedded/identity.ts'
import { launch } from '../../../server/db/embedded/server.ts'

/** A PostgreSQL that runs, with its settings as they come. */
export interface Running {
  /** What it writes. */
  log: string
  /** A database of this name, made where it is not there. */
  urlOf(name: string): Promise<string>
  stop(): Promise<void>
}

/** What can be measured here; the system's PostgreSQL only where it is installed. */
export const DATABASES: Readonly<
  Record<string, (folder: string, settings: Record<string, string>) => Promise<Running>>
> = {
  // Maru's own takes no settings: it has none of the packaged libraries either.
  own: async (folder) => {
    const own = await startEmbedded({ dataDir: join(folder, 'own'), log: () => {} })
    return running(own.owner, () => own.stop(), { log: join(folder, 'own', 'postgres.log'), locale: '' })
  },
  system: async (folder, settings) => {
    const found = findSystemPostgres()
    if (found === undefined) throw new Error('there is no PostgreSQL from 15 on in this system')
    const place = join(folder, `system-${found.version}`)
    const dir = join(place, 'data')
    const logFile = join(place, 'log')
    // PostgreSQL passes through it, whatever user it runs as.
    mkdirSync(place, { recursive: true, mode: 0o711 })
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const identity = chooseIdentity(dir)
    if (!checkCluster(dir, String(found.version)))
      await runInitdb({ dir, home: found.home, identity, logFile }, dir, ['--auth=trust'])
    const server = await launch({
      dir,
      home: found.home,
      identity,
      logFile,
      settings,
      log: () => {},
    })
    return running({ host: server.host, port: server.port, user: 'maru' }, () => server.stop(), {
      log: logFile,
      locale: `locale 'C.UTF-8'`,
    })
  },
}

function running(
  { host, port, user }: { host: string; port: number; user: string },
  stop: () => Promise<void>,
  { log, locale }: { log: string; locale: string },
): Running {
  return {
    log,
    async urlOf(name) {
      const admin = new Client({ host, port, user, database: 'postgres' })
      await admin.connect()
      const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
      if (rowCount === 0)
        await admin.query(`create database ${name} template template0 encoding 'UTF8' ${locale}`)
      await admin.end()
      return `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
    },
    stop,
  }
}
