import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { refusal, ROOT, runStep } from './root.mjs'
import { prunePackages } from './prune-packages.mjs'
import { withFileLock } from './file-lock.mjs'

/** @typedef {'all' | 'serving'} Wanted all packages, or all except those for tests and benchmarks */

/** File that names the installed packages, as `stampOf` returns them. */
const STAMP = join(ROOT, 'node_modules', '.maru-installed')

/**
 * Installs the packages of package-lock.json if node_modules lacks them. npm installs into another folder, which replaces
 * node_modules after success, so an unavailable registry leaves the previous packages in place.
 * @param {Wanted} wanted
 * @throws a refusal if npm fails
 */
export async function install(wanted) {
  if (isInstalled(wanted)) return
  await withFileLock('install', async () => {
    if (isInstalled(wanted)) return
    const beside = join(ROOT, '.cache', 'install')
    rmSync(beside, { recursive: true, force: true })
    mkdirSync(beside, { recursive: true })
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(ROOT, file), join(beside, file))
    const command = npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    const failure = await runStep(
      'Installing the packages that Maru needs (only when they change; about a minute) …',
      'Installed',
      [...command, wanted === 'all' ? '--include=dev' : '--omit=dev', '--include=optional'],
      // On Windows, npm in PATH is npm.cmd, which only a shell runs.
      { cwd: beside, shell: command[0] === 'npm' && process.platform === 'win32', env: npmEnv() },
    )
    if (failure !== undefined)
      throw refusal(
        `Installing the packages failed (npm: ${failure}): read npm's error above it. Often its registry cannot be reached, or npm is not installed. Then start again. The packages that were installed before are unchanged.`,
      )
    if (wanted === 'serving') prunePackages(join(beside, 'node_modules'))
    writeFileSync(join(beside, 'node_modules', '.maru-installed'), stampOf(wanted))
    takePlace(join(beside, 'node_modules'))
    rmSync(beside, { recursive: true, force: true })
  })
}

/** Replaces node_modules by a folder of installed packages. If that fails, the previous packages stay. */
function takePlace(installed) {
  const place = join(ROOT, 'node_modules')
  const before = join(ROOT, '.cache', 'replaced')
  rmSync(before, { recursive: true, force: true })
  try {
    if (existsSync(place)) renameSync(place, before)
    renameSync(installed, place)
  } catch (error) {
    if (!existsSync(place) && existsSync(before)) renameSync(before, place)
    throw refusal(
      `${place} cannot be replaced (${error.code}): it may be in use, or on a disk of its own. Stop Maru, remove the folder and start again.`,
    )
  }
  rmSync(before, { recursive: true, force: true })
}

/**
 * Returns whether node_modules has the wanted packages of the current package-lock.json, by the stamp or the packages themselves.
 */
function isInstalled(wanted) {
  const stamp = read(STAMP)
  if (stamp === stampOf('all') || stamp === stampOf(wanted)) return true
  if (!holdsEveryPackage(wanted)) return false
  try {
    writeFileSync(STAMP, stampOf(wanted))
  } catch {
    // A checkout that this user may only read: the longer look works too.
  }
  return true
}

/** Returns the text that names package-lock.json, the platform and the wanted packages. */
function stampOf(wanted) {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  return `${hash.digest('hex')} ${process.platform} ${process.arch} ${wanted}\n`
}

/**
 * Returns whether node_modules has every package of package-lock.json that this platform needs. npm writes its own list of what
 * it installed when it is done, so an installation by hand is not repeated.
 */
function holdsEveryPackage(scope) {
  const list = read(join(ROOT, 'node_modules', '.package-lock.json'))
  if (list === undefined) return false
  const installed = JSON.parse(list).packages
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (scope === 'serving' && (entry.dev || entry.devOptional))) return true
    if (installed[path]) return installed[path].version === entry.version && existsSync(join(ROOT, path))
    if (!entry.optional) return false
    // npm omits packages for another platform or C library.
    return entry.libc || !fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)
  })
}

/** Returns whether an optional package is for this system. One with no os and no cpu is the dependency of one that has them. */
function fits(names, name) {
  return [names ?? []].flat().includes(name)
}

/** Returns the content of a file; undefined if it cannot be read. */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns the environment of npm. A system user has no home, and npm could not write its cache there. */
function npmEnv() {
  if (process.env.npm_config_cache !== undefined || isWritable(homedir())) return process.env
  return { ...process.env, npm_config_cache: join(ROOT, '.cache', 'npm') }
}

/** Returns whether this user may write into a folder. */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the command line of npm: of the npm that runs this, else of the one in PATH. */
function npm(...args) {
  const cli = process.env.npm_execpath ?? ''
  return basename(cli) === 'npm-cli.js' ? [process.execPath, cli, ...args] : ['npm', ...args]
}
