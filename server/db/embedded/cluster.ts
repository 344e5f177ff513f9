import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { guard } from './guard.ts'
import { giveTree, initdbIdentity } from './identity.ts'
import type { Identity } from './identity.ts'
import { EmbeddedRefusal, refusalFromOutput } from './refusal.ts'

/**
 * The name under which PostgreSQL finds its data, given as its working directory. On Linux a name that leads
 * there from anywhere: it needs no right to enter the directories above, and has no length limit to meet.
 */
export function dataArgument(dir: string): string {
  return existsSync('/proc/self/cwd') ? '/proc/self/cwd' : dir
}

/** Says whether there is a cluster in `dir`; refuses what is none, or not this user's, or of another major version. */
export function checkCluster(dir: string, major: string): boolean {
  const entry = statSync(dir, { throwIfNoEntry: false })
  if (!entry) return false
  const uid = process.getuid?.()
  if (uid !== undefined && uid !== 0 && entry.uid !== uid)
    throw new EmbeddedRefusal(
      `${dir} belongs to another user (number ${entry.uid}): start Maru as that user, or set DATA_DIR to another directory.`,
    )
  if (readdirSync(dir).length === 0) return false
  const versionFile = join(dir, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new EmbeddedRefusal(
      `${dir} is not empty and holds no PostgreSQL data: move it away, or set DATA_DIR to another directory.`,
    )
  const version = readFileSync(versionFile, 'utf8').trim()
  if (version !== major)
    throw new EmbeddedRefusal(
      `${dir} was written by PostgreSQL ${version || '(unknown)'}, but this Maru runs PostgreSQL ${major}: dump it with a PostgreSQL ${version} (pg_dumpall) and restore it, or set DATABASE_URL or another DATA_DIR. Nothing was changed.`,
    )
  return true
}

/** What `createCluster` needs to know. */
export interface NewCluster {
  dir: string
  binaries: Binaries
  identity: Identity | undefined
  logFile: string
  /** A file with the administrator's password, for connections over TCP. */
  passwordFile: string | undefined
  /** False in tests only: leaves the writing to the disk to the system. */
  durable: boolean
}

/**
 * Makes a cluster beside `dir` and gives it its name only when it is whole and on the disk: an interrupted
 * first start leaves nothing that looks like data.
 */
export async function createCluster(options: NewCluster): Promise<void> {
  const { dir, binaries, identity, logFile } = options
  await removeUnfinished(dir)
  const unfinished = mkdtempSync(`${dir}.new-`)
  try {
    const builder = initdbIdentity(identity)
    if (builder) chownSync(unfinished, builder.uid, builder.gid)
    const exit = await guard({
      file: join(binaries.home, 'bin', 'initdb'),
      args: [
        `--pgdata=${dataArgument(unfinished)}`,
        '--username=maru',
        '--encoding=UTF8',
        // Sorts by code point on every system: Korean in dictionary order (design: C.UTF-8).
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--auth-local=trust',
        '--auth-host=scram-sha-256',
        ...(options.passwordFile === undefined ? [] : [`--pwfile=${options.passwordFile}`]),
        ...(options.durable ? [] : ['--no-sync']),
      ],
      cwd: unfinished,
      identity: builder,
      logFile,
    }).exit
    if (exit?.code !== 0) throw refusalFromOutput(exit?.tail ?? ['initdb was killed'], dir, logFile)
    if (identity) giveTree(unfinished, identity)
    renameSync(unfinished, dir)
    if (options.durable && process.platform !== 'win32') syncDirectory(dirname(dir))
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

/** Creates the data directory, closed to others, when it is missing. */
export function makeDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}

/**
 * The initdb of a Maru that was just killed may still be writing there. `rmSync` gives up, in silence, on a tree
 * of which a file goes missing under it; `rm` goes on.
 */
async function removeUnfinished(dir: string): Promise<void> {
  const parent = dirname(dir)
  for (const name of readdirSync(parent)) {
    if (name.startsWith('postgres.new-'))
      await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 })
  }
}

function syncDirectory(dir: string): void {
  const handle = openSync(dir, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
