import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { refusal, ROOT, runStep } from './root.mjs'
import { slim } from './slim.mjs'
import { inTurn } from './turn.mjs'

/** @typedef {'all' | 'serving'} Wanted with or without the packages that only test and measure */

const STAMP = join(ROOT, 'node_modules', '.maru-installed')

/**
 * Installs the packages of package-lock.json when node_modules does not hold them; asks npm for nothing else. They are
 * installed beside what is there and take its place when all is well: a registry that is away leaves what ran.
 * @param {Wanted} wanted
 */
export async function install(wanted) {
  if (isInstalled(wanted)) return
  await inTurn('install', async () => {
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
      // What PATH holds on Windows is npm.cmd, which only a shell runs.
      { cwd: beside, shell: command[0] === 'npm' && process.platform === 'win32' },
    )
    if (failure !== undefined)
      throw refusal(
        `Installing the packages failed (npm: ${failure}): check that npm is installed and reaches its registry, then start again. What was installed before is as it was.`,
      )
    if (wanted === 'serving') slim(join(beside, 'node_modules'))
    writeFileSync(join(beside, 'node_modules', '.maru-installed'), stampOf(wanted))
    takePlace(join(beside, 'node_modules'))
    rmSync(beside, { recursive: true, force: true })
  })
}

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

function stampOf(wanted) {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  return `${hash.digest('hex')} ${process.platform} ${process.arch} ${wanted}\n`
}

// npm writes its own list of what it installed when it is done. Someone who installs by hand needs no second go.
function holdsEveryPackage(scope) {
  const list = read(join(ROOT, 'node_modules', '.package-lock.json'))
  if (list === undefined) return false
  const installed = JSON.parse(list).packages
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (scope === 'serving' && (entry.dev || entry.devOptional))) return true
    if (installed[path]) return installed[path].version === entry.version && existsSync(join(ROOT, path))
    if (!entry.optional) return false
    // Left out for good: made for another platform, or for another C library than this one's.
    return entry.libc || !fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)
  })
}

// An optional package with no os and no cpu is the dependency of one that has them.
function fits(names, name) {
  return [names ?? []].flat().includes(name)
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

// The npm that runs this, else the one in PATH.
function npm(...args) {
  const cli = process.env.npm_execpath ?? ''
  return basename(cli) === 'npm-cli.js' ? [process.execPath, cli, ...args] : ['npm', ...args]
}
