import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { whenNpmIsGone } from './npm-gone.mjs'
import { refusal, ROOT } from './root.mjs'

const isWindows = process.platform === 'win32'

/**
 * The Node.js to run Maru on: the one that npm installed with it, or this one where that does not run (another C
 * library, say) and this is new enough to run TypeScript and to have argon2.
 */
export function pinnedNode() {
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const node = join(ROOT, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  if (existsSync(node) && spawnSync(node, ['--version']).status === 0) return node
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 7)) return process.execPath
  throw refusal(
    `The Node.js that Maru brings along does not run on this machine (${process.platform} ${process.arch}): install Node.js 24.7 or newer, this is ${process.versions.node}.`,
  )
}

// Lazily compiled code and stripped types are kept between starts. A young generation of 64 MB would double what a server
// holds at rest, and one arena of malloc per thread what it holds under load. The 19 MB of a password's hash are given back
// after it, and asked for in huge pages: 5,000 small ones would take a third of its time. By the most that the heap may grow to V8
// decides how much garbage it leaves: of a twentieth of a gigabyte that is used, half of it again or three times as much (design/runtime#idle-memory).
const SERVER_FLAGS = ['--max-semi-space-size=4']
const MOST_HEAP = '--max-old-space-size=1024'
const SERVER_ENV = {
  NODE_COMPILE_CACHE: join(ROOT, '.cache', 'compiled'),
  MALLOC_ARENA_MAX: '2',
  GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=1048576:glibc.malloc.hugetlb=1',
}

/**
 * Becomes a TypeScript file of the project that serves: nothing of the launcher stays behind. Where Node.js cannot
 * (before 22.15, and on Windows) it stays as the server's parent.
 */
export async function become(node, file, args) {
  const env = { ...SERVER_ENV, ...ownEnv() }
  // What the command line says would go before what an operator sets.
  const isSet = /max[-_]old[-_]space[-_]size/.test(env.NODE_OPTIONS ?? '')
  const flags = isSet ? SERVER_FLAGS : [...SERVER_FLAGS, MOST_HEAP]
  if (process.execve === undefined || isWindows) return run(node, file, args, { flags, env })
  process.chdir(ROOT)
  // That this is new in Node.js is no news for the person who starts Maru.
  process.removeAllListeners('warning')
  process.execve(node, [node, ...flags, join(ROOT, file), ...args], env)
}

function ownEnv() {
  return { ...process.env, PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter) }
}

/** Runs a TypeScript file of the project, passes signals on to it once, and ends as it ends. */
export async function run(node, file, args, { flags = [], env = ownEnv() } = {}) {
  const ending = pathToFileURL(join(import.meta.dirname, 'end-with-launcher.mjs')).href
  const child = spawn(node, [...flags, '--import', ending, join(ROOT, file), ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
    // A process group of its own: Ctrl+C reaches the whole group of the terminal, and npm passes it on again;
    // the child hears of it once, from here.
    detached: !isWindows,
  })
  let passedOn = false
  const passOn = (signal) => {
    if (passedOn || isWindows) return
    passedOn = true
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => passOn(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  whenNpmIsGone(() => passOn('SIGTERM'))
  const code = await new Promise((settle, fail) => {
    child.on('error', fail)
    child.on('exit', (exit, signal) => settle(exit ?? 128 + (constants.signals[signal] ?? 0)))
  })
  process.exit(code)
}
