import { fork } from 'node:child_process'
import { once } from 'node:events'
import { atEnd } from './bench.ts'

/** A file of the benchmarks that runs as a process. */
export interface Child<First> {
  pid: number
  /** First message of the process: its port, or its result. */
  first: First
  /**
   * Requests the next message of the process and waits for it.
   * @throws {Error} if the process exits before the message
   */
  ask(): Promise<unknown>
  /** Disconnects from the process and waits until it has ended. May be repeated. */
  stop(): Promise<void>
}

/**
 * Starts a file as a process and waits for its first message. The process stops when the benchmark ends.
 * @param file relative to `bench/`
 * @param input what its `inputOf` returns
 * @throws {Error} if the process exits before the message
 */
export async function startChild<First>(file: string, input: unknown): Promise<Child<First>> {
  const child = fork(new URL(`../${file}`, import.meta.url), {
    // Without the launcher's hook, which lets a process end although its parent has more to send.
    execArgv: [],
  })
  const message = () =>
    Promise.race([
      once(child, 'message').then(([value]) => value as unknown),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
    ])
  const stop = async () => {
    if (child.connected) child.disconnect()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  child.send(input as object)
  atEnd(stop)
  const first = (await message()) as First
  const ask = async () => {
    child.send('ask')
    return message()
  }
  return { pid: child.pid ?? 0, first, ask, stop }
}

/**
 * Waits for the input of this child process and returns it.
 * @param onDisconnect runs when the parent ends or disconnects; by default the process exits
 */
export async function inputOf<T>(onDisconnect: () => unknown = () => process.exit()): Promise<T> {
  process.on('disconnect', onDisconnect)
  const [input] = (await once(process, 'message')) as [T]
  return input
}
