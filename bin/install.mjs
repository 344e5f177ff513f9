import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { refusal, ROOT, runStep } from './root.mjs'
import { inTurn } from './turn.mjs'

const STAMP = join(ROOT, 'node_modules', '.maru-installed')

/** Installs the packages of package-lock.json when node_modules does not hold them; asks npm for nothing else. */
export async function install() {
  if (isInstalled()) return
  await inTurn('install', async () => {
    if (isInstalled()) return
    const command = npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    const failure = await runStep(
      'Installing the packages that Maru needs (only when they change; about a minute) …',
      'Installed',
      [...command, '--include=dev', '--include=optional'],
      // What PATH holds on Windows is npm.cmd, which only a shell runs.
      { shell: command[0] === 'npm' && process.platform === 'win32' },
    )
    if (failure !== undefined)
      throw refusal(
        `Installing the packages failed (npm: ${failure}): check that npm is installed, reaches its registry and may write to ${ROOT}, then start again.`,
      )
    writeFileSync(STAMP, wantedStamp())
  })
}

function isInstalled() {
  if (read(STAMP) === wantedStamp()) return true
  if (!holdsEveryPackage()) return false
  try {
    writeFileSync(STAMP, wantedStamp())
  } catch {
    // A checkout that this user may only read: the longer look works too.
  }
  return true
}

function wantedStamp() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`
}

// npm writes its own list of what it installed when it is done. Someone who installs by hand needs no second go.
function holdsEveryPackage() {
  const list = read(join(ROOT, 'node_modules', '.package-lock.json'))
  if (list === undefined) return false
  const installed = JSON.parse(list).packages
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
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
