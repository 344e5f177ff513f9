import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

// A quarter of a start's work is compiling, which is the same for all of them.
const COMPILED = join(tmpdir(), 'maru-test-compiled')

/** Maru as a program: a process of its own, as the launcher starts it. */
export interface Program {
  process: ChildProcess
  /** Everything it printed so far, on both channels. */
  text: () => string
  /** Resolves with where it serves; rejects when it ends before. */
  url: Promise<string>
  /** Resolves with the exit status; null when a signal ended it. */
  ended: Promise<number | null>
}

// The test that started them may fail before they are stopped.
const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/**
 * Starts Maru on a free port of this machine.
 * @param folder where it runs: its .env counts, and no variable of this process
 */
export function startProgram(folder: string, env: Record<string, string>): Program {
  const child = spawn(process.execPath, [MAIN], {
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
        const address = /Maru is ready: open (\S+)/.exec(text)?.[1]
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
