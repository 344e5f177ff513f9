import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolderNow } from '../../durable-files.ts'
import { isKnownFormer } from './previous-binaries.ts'
import { startGuarded } from './watchdog.ts'
import { giveTree, type Identity, initdbIdentity } from './os-user.ts'
import { StartRefusal } from '../../startup-error.ts'
import { refusalFromOutput } from './startup-errors.ts'

/**
 * Returns the data directory for PostgreSQL's command line; the caller makes it the working directory. The Linux path needs no
 * permission to enter the parent directories, and has no length limit.
 */
export function dataArgument(dir: string): string {
  return existsSync('/proc/self/cwd') ? '/proc/self/cwd' : dir
}

/**
 * Returns whether there is a cluster in `dir`; false for a missing or empty folder.
 * @param major the expected major version
 * @throws {StartRefusal} if the folder contains other files, or a cluster of another user or another major version
 */
export function checkCluster(dir: string, major: string): boolean {
  const entry = statSync(dir, { throwIfNoEntry: false })
  if (!entry) return false
  const uid = process.getuid?.()
  if (uid !== undefined && uid !== 0 && entry.uid !== uid)
    throw new StartRefusal(
      `${dir} belongs to another user (ID ${entry.uid}). Start Maru as that user, or set DATA_DIR to another directory.`,
    )
  if (readdirSync(dir).length === 0) return false
  const versionFile = join(dir, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new StartRefusal(
      `${dir} is not empty and contains no PostgreSQL data. Move it, or set DATA_DIR to another directory.`,
    )
  const version = readFileSync(versionFile, 'utf8').trim()
  if (version !== major) throw otherVersion(dir, version, major)
  return true
}

/**
 * Makes `identity` the owner of a cluster that belongs to root, and closes it to other users. A cluster that was copied here may
 * have lost its owner and permissions, and PostgreSQL refuses others. Changes nothing if they are right.
 */
export function claimCluster(dir: string, identity: Identity | undefined): void {
  const { uid, mode } = statSync(dir)
  if (identity && uid === 0) giveTree(dir, identity)
  if (process.platform !== 'win32' && (mode & 0o027) !== 0) chmodSync(dir, 0o700)
}

/** Returns the major version of the cluster in `dir`; undefined if there is none. */
export function majorOf(dir: string): string | undefined {
  const versionFile = join(dir, 'PG_VERSION')
  return existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : undefined
}

/** Returns the refusal of a cluster of another major version, with what to do. */
function otherVersion(dir: string, version: string, major: string): StartRefusal {
  const what = `${dir} was written by PostgreSQL ${version || '(unknown)'}, but this Maru runs PostgreSQL ${major}`
  const todo =
    Number(version) > Number(major)
      ? 'start the Maru that wrote it, or a later one'
      : isKnownFormer(version)
        ? 'npm start brings it up'
        : `start the Maru that wrote it, and take a backup for this one (docs/operations.md, "A new major version of PostgreSQL")`
  return new StartRefusal(`${what}: ${todo}. Nothing was changed.`)
}

/** Input of `createCluster`. */
export interface NewCluster {
  dir: string
  /** Folder that contains PostgreSQL's bin/. */
  home: string
  /** Owner of the cluster; undefined for the user of this process. */
  identity: Identity | undefined
  logFile: string
  /** File with the administrator's password, for connections over TCP. */
  passwordFile: string | undefined
  /** False only in tests: the system decides when data is written to the disk. */
  durable: boolean
  /** True to run without a shell and signals; for tests on other systems. */
  asOnWindows?: boolean | undefined
}

/**
 * Creates a cluster in a folder beside `dir`, and renames it to `dir` when it is complete and synced. After an interrupted first start,
 * `dir` therefore does not exist.
 * @throws {StartRefusal} with the error of initdb
 */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const { dir, passwordFile, durable } = cluster
  await removeUnfinished(dir)
  const unfinished = mkdtempSync(`${dir}.new-`)
  try {
    await runInitdb(cluster, unfinished, [
      // Sorts by code point on every system: Korean in dictionary order (rules/running#migration).
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
      ...(passwordFile === undefined ? [] : [`--pwfile=${passwordFile}`]),
      ...(durable ? [] : ['--no-sync']),
    ])
    renameSync(unfinished, dir)
    if (durable) syncFolderNow(dirname(dir))
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

/**
 * Creates a cluster in the empty directory `place` and makes `identity` its owner.
 * @param more further arguments of initdb
 * @throws {StartRefusal} with the error of initdb
 */
export async function runInitdb(
  { dir, home, identity, logFile, asOnWindows }: Omit<NewCluster, 'passwordFile' | 'durable'>,
  place: string,
  more: readonly string[],
): Promise<void> {
  const builder = initdbIdentity(identity)
  if (builder) chownSync(place, builder.uid, builder.gid)
  const exit = await startGuarded({
    file: join(home, 'bin', 'initdb'),
    args: [`--pgdata=${dataArgument(place)}`, '--username=maru', '--encoding=UTF8', '--locale=C', ...more],
    cwd: place,
    identity: builder,
    logFile,
    asOnWindows,
  }).exit
  if (exit?.code !== 0) throw refusalFromOutput(exit?.tail ?? ['initdb was killed'], dir, logFile)
  if (identity) giveTree(place, identity)
}

/**
 * Deletes unfinished clusters beside `dir`. The initdb of a Maru that was just killed may still write there. `rmSync`
 * stops silently if a file disappears during the deletion; `rm` continues.
 */
async function removeUnfinished(dir: string): Promise<void> {
  const parent = dirname(dir)
  for (const name of readdirSync(parent)) {
    if (name.startsWith('postgres.new-'))
      await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 })
  }
}
