import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Client } from 'pg'
import { runInitdb } from '../../server/db/embedded/cluster.ts'
import { chooseIdentity } from '../../server/db/embedded/os-user.ts'
import { launch } from '../../server/db/embedded/server.ts'
import { makeScratchFolder, THROWN_AWAY } from '../test-kit/database.ts'
import { installPackages } from './packages.ts'

/** Oldest major version that Maru supports. */
const OLDEST = 15

/**
 * Returns the system's PostgreSQL: the folder that contains bin/, and the major version. Of several it is the oldest that Maru
 * supports, because the embedded one is the newest. In CI (`CI` set) a missing one is installed.
 * @returns undefined if there is none from version 15 on
 */
export function findSystemPostgres(): { home: string; version: number } | undefined {
  const found = findInstalled()
  if (found || process.env['CI'] === undefined) return found
  installPackages({ 'apt-get': ['postgresql'], dnf: ['postgresql-server'], apk: ['postgresql'] })
  return findInstalled()
}

/**
 * Starts a temporary cluster of the system's PostgreSQL, as an ordinary user if this process is root, and runs `work` with its
 * DATABASE_URL. Deletes the cluster afterwards.
 * @param home folder that contains PostgreSQL's bin/
 * @returns the result of `work`
 */
export async function withSystemPostgres<T>(home: string, work: (url: string) => Promise<T>): Promise<T> {
  const folder = makeScratchFolder('maru-system-pg-', process.getuid?.() === 0 ? '/tmp' : tmpdir())
  // Open to pass through: before version 16 PostgreSQL finds its way back to its data by the whole path.
  chmodSync(folder, 0o711)
  const dir = join(folder, 'data')
  mkdirSync(dir, { mode: 0o700 })
  const logFile = join(folder, 'log')
  try {
    const identity = chooseIdentity(dir)
    await runInitdb({ dir, home, identity, logFile }, dir, ['--auth=trust', '--no-sync'])
    const server = await launch({ dir, home, identity, logFile, settings: THROWN_AWAY, log: () => {} })
    try {
      const admin = new Client({ host: server.host, port: server.port, user: 'maru', database: 'postgres' })
      await admin.connect()
      await admin.query(`CREATE DATABASE maru TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`)
      await admin.end()
      return await work(
        `postgresql://maru@localhost:${server.port}/maru?host=${encodeURIComponent(server.host)}`,
      )
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the oldest supported PostgreSQL of the system; undefined if there is none. */
function findInstalled(): { home: string; version: number } | undefined {
  const folders = [
    ...versionFolders('/usr/lib/postgresql'), // Debian
    ...versionFolders('/usr/libexec'), // Alpine
    '/usr', // Fedora
    ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => dirname(folder)),
  ]
  return folders
    .map((home) => ({ home, version: versionOf(home) }))
    .filter(({ version }) => version >= OLDEST)
    .toSorted((a, b) => a.version - b.version)[0]
}

/** Returns the subfolders that are named after a version. */
function versionFolders(parent: string): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => /^(postgresql)?\d+$/.test(name))
      .map((name) => join(parent, name))
  } catch {
    return []
  }
}

/**
 * Returns the major version; 0 unless the folder has both initdb and postgres: a client package may have initdb alone, or a link
 * to it.
 */
function versionOf(home: string): number {
  const [initdb, postgres] = ['initdb', 'postgres'].map((program) =>
    spawnSync(join(home, 'bin', program), ['--version'], { encoding: 'utf8' }),
  )
  if (initdb?.status !== 0 || postgres?.status !== 0) return 0
  return Number(/(\d+)\./.exec(postgres.stdout)?.[1] ?? 0)
}
