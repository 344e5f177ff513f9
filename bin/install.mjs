import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { refusal, ROOT, say } from './root.mjs'
import { inTurn } from './turn.mjs'

const STAMP = join(ROOT, 'node_modules', '.maru-installed')

/** Installs the packages of package-lock.json when node_modules does not hold them; asks npm for nothing else. */
export async function install() {
  if (isInstalled()) return
  await inTurn('install', async () => {
    if (isInstalled()) return
    say('Installing the packages that Maru needs (only when they change; about a minute) …')
    const begun = Date.now()
    const code = await npm([
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--include=dev',
      '--include=optional',
      '--loglevel=error',
    ])
    if (code !== 0)
      throw refusal(
        `Installing the packages failed (${code === null ? 'npm was not found' : `npm ended with ${code}; its own words are above`}): check that npm is installed, reaches its registry and may write to ${ROOT}, then start again.`,
      )
    writeFileSync(STAMP, wantedStamp())
    say(`Installed in ${((Date.now() - begun) / 1000).toFixed(1)} s.`)
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

function npm(args) {
  const cli = process.env.npm_execpath
  const options = { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }
  const child =
    cli && basename(cli) === 'npm-cli.js'
      ? spawn(process.execPath, [cli, ...args], options)
      : spawn('npm', args, { ...options, shell: process.platform === 'win32' })
  return new Promise((settle) => {
    child.on('error', () => settle(null))
    child.on('close', (code) => settle(code ?? 1))
  })
}
