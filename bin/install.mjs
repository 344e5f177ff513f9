import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { refusal, ROOT, runStep } from './root.mjs'
import { inTurn } from './turn.mjs'

/** @typedef {'all' | 'serving'} Wanted with or without the packages that only test and measure */

const STAMP = join(ROOT, 'node_modules', '.maru-installed')

/**
 * Installs the packages of package-lock.json when node_modules does not hold them; asks npm for nothing else.
 * @param {Wanted} wanted
 */
export async function install(wanted) {
  if (isInstalled(wanted)) return
  await inTurn('install', async () => {
    if (isInstalled(wanted)) return
    // What a server of this checkout may be running on stays where it is: packages are added to it.
    const verb = wanted === 'all' && isInstalled('serving') ? ['install', '--no-save'] : ['ci']
    const command = npm(...verb, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    const failure = await runStep(
      'Installing the packages that Maru needs (only when they change; about a minute) …',
      'Installed',
      [...command, wanted === 'all' ? '--include=dev' : '--omit=dev', '--include=optional'],
      // What PATH holds on Windows is npm.cmd, which only a shell runs.
      { shell: command[0] === 'npm' && process.platform === 'win32' },
    )
    if (failure !== undefined)
      throw refusal(
        `Installing the packages failed (npm: ${failure}): check that npm is installed, reaches its registry and may write to ${ROOT}, then start again.`,
      )
    writeFileSync(STAMP, stampOf(wanted))
  })
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
