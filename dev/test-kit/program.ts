import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of the server's main module. */
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** Compile cache that all started programs share. A quarter of a start's work is compiling. */
const COMPILED = join(tmpdir(), 'maru-test-compiled')

/** Maru as a separate process, as the launcher starts it. */
export interface Program {
  process: ChildProcess
  /** Returns the output so far, of stdout and stderr. */
  text: () => string
  /** Resolves with the URL when Maru is ready. Rejects with the output if it ends before. */
  url: Promise<string>
  /** Resolves with the exit status; null if a signal ended it. */
  ended: Promise<number | null>
}

/** Programs that still run. They are killed when this process exits, because a test may fail before it stops them. */
const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/**
 * Starts Maru on a free port of this machine, without call limits by default.
 * @param folder working directory, whose .env is read
 * @param env variables; of those of this process, only PATH is passed
 * @param command program and its arguments
 */
export function startProgram(
  folder: string,
  env: Record<string, string>,
  [file, ...args]: [string, ...string[]] = [process.execPath, MAIN],
): Program {
  const child = spawn(file, args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_COMPILE_CACHE: COMPILED,
      CALL_LIMIT_PERCENT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  let text = ''
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const ready = new Promise<string>((resolve) => {
    for (const channel of [child.stdout, child.stderr]) {
      channel.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const address = /Maru is ready: open ([^\s"]+)/.exec(text)?.[1]
        if (address !== undefined) resolve(address)
      })
    }
  })
  const url = Promise.race([
    ready,
    ended.then((code) => Promise.reject(new Error(`ended with ${code} before it was ready: ${text}`))),
  ])
  // Met where it is waited for.
  url.catch(() => {})
  return { process: child, text: () => text, url, ended }
}
