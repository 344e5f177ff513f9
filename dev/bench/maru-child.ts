/** A Maru in a process of its own, for measurements that look at its memory while it works. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import pg from 'pg'
import { API_BASE } from '../../contract/envelope.ts'
import type { Target } from './lists/load.ts'
import { callAt, sealed } from '../test-kit/seal.ts'
import { startOwnDatabase } from './own-database.ts'

/** The Maru that is measured. */
export interface MeasuredMaru {
  /** Its database. */
  pool: pg.Pool
  /** Makes a call as the administrator of the demo data. */
  post(path: string, input: unknown): Promise<IncomingMessage>
  /** Resident memory of the server's process, in MB. */
  rss(): number
  stop(): Promise<void>
}

/** Starts Maru as production builds it, on the demo data and a database of its own. */
export async function startMeasured(): Promise<MeasuredMaru> {
  const own = await startOwnDatabase()
  const env = { CONNECTION: JSON.stringify(own.connection), DATA_DIR: own.dataDir }
  const child: ChildProcess = fork(new URL('demo-maru.ts', import.meta.url), {
    env: { ...process.env, ...env },
  })
  const [target] = (await once(child, 'message')) as [Target]
  const pool = new pg.Pool({ ...own.connection, max: 2 })
  // At the end the database may go before the last of its connections has.
  pool.on('error', () => {})
  return {
    pool,
    async post(path, input) {
      const call = request({
        host: '127.0.0.1',
        port: target.port,
        method: 'POST',
        path: API_BASE + path,
        headers: target.headers,
      })
      call.end(sealed(callAt(path), input))
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      return answer
    },
    rss: () =>
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024,
    async stop() {
      child.kill()
      await pool.end()
      await own.stop()
    },
  }
}

/** Reads an answer to its end; gives its bytes, none of which are kept. */
export async function drain(answer: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
  return bytes
}
