import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { whenNpmIsGone } from './on-npm-exit.mjs'
import { HOME, refusal, ROOT } from './root.mjs'

/** True on Windows, which has no execve and no POSIX signals. */
const isWindows = process.platform === 'win32'

/**
 * Returns the path of the Node.js that runs Maru: the one that npm installed with it. If that does not run, for example because of
 * another C library, returns the Node.js of this process.
 * @throws a refusal if neither can run Maru, which needs 24.7 or later for argon2
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

// Memory settings of a server (design/runtime#idle-memory). The compile cache keeps compiled code between starts. A young
// generation of 64 MB would double the memory of an idle server, and one malloc arena per thread that of a busy one. The
// 19 MB for hashing a password are returned afterwards and allocated in huge pages: 5,000 small pages would take a third of
// the time. From the heap limit V8 decides how much garbage it leaves.
/** Flags of Node.js for a server: 4 MB of young generation. */
const SERVER_FLAGS = ['--max-semi-space-size=4']
/** Flag that limits the heap of a server to 1 GB, unless NODE_OPTIONS sets a limit. */
const MOST_HEAP = '--max-old-space-size=1024'
/** Environment variables of a server, which those of this process override. */
const SERVER_ENV = {
  NODE_COMPILE_CACHE: join(HOME, '.cache', 'compiled'),
  MALLOC_ARENA_MAX: '2',
  GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=1048576:glibc.malloc.hugetlb=1',
}

/**
 * Replaces the process of the launcher with one that runs a TypeScript file of the project, with the memory settings of a server.
 * If Node.js cannot do this (before 22.15, and on Windows), calls `run` instead.
 * @param node path of the Node.js, as `pinnedNode` returns it
 * @param file path below the checkout
 */
export async function become(node, file, args) {
  const env = { ...SERVER_ENV, ...ownEnv() }
  // Flags would take priority over the operator's NODE_OPTIONS.
  const isSet = /max[-_]old[-_]space[-_]size/.test(env.NODE_OPTIONS ?? '')
  const flags = isSet ? SERVER_FLAGS : [...SERVER_FLAGS, MOST_HEAP]
  if (process.execve === undefined || isWindows) return run(node, file, args, { flags, env })
  process.chdir(HOME)
  // Node.js warns that execve is experimental, which does not concern the operator.
  process.removeAllListeners('warning')
  process.execve(node, [node, ...flags, join(ROOT, file), ...args], env)
}

/** Returns the environment with the programs of the packages in PATH. */
function ownEnv() {
  return { ...process.env, PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter) }
}

/** Runs a TypeScript file of the project, forwards each signal to it once, and exits with its status. Never returns. */
export async function run(node, file, args, { flags = [], env = ownEnv() } = {}) {
  const ending = pathToFileURL(join(import.meta.dirname, 'exit-with-launcher.mjs')).href
  const child = spawn(node, [...flags, '--import', ending, join(ROOT, file), ...args], {
    cwd: HOME,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
    // In its own process group, the child receives Ctrl+C once, from here. In the terminal's group it would receive it from
    // the terminal and from npm.
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
