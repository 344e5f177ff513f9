/** Servers in processes of their own on one PostgreSQL, and concurrent calls that ask them for keys of one partner. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import type pg from 'pg'
import { API_BASE, SESSION_HEADER } from '../../contract/envelope.ts'
import { issueKey } from '../../contract/keys.ts'
import { sealInput, openOutput } from './seal.ts'
import { send } from './transfer.ts'

/** A server that was started in a process of its own. */
interface Server {
  port: number
  process: ChildProcess
}

/**
 * Starts this many servers as processes, with these time zones in turn, and waits until all listen. Waits forever if
 * one ends before.
 */
export async function startServers(
  count: number,
  connection: pg.ClientConfig,
  dataDir: string,
  zones: readonly string[],
): Promise<Server[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const child = fork(new URL('issue-race-server.ts', import.meta.url), {
        env: {
          ...process.env,
          CONNECTION: JSON.stringify(connection),
          DATA_DIR: dataDir,
          TZ: zones[i % zones.length],
        },
        execArgv: [],
      })
      const [port] = (await once(child, 'message')) as [number]
      return { port, process: child }
    }),
  )
}

/** Ends the servers, and waits until they have exited. */
export async function stopServers(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(async ({ process: child }) => {
      if (child.exitCode !== null) return
      child.kill()
      await once(child, 'exit')
    }),
  )
}

/**
 * Sets the clock of all servers for further calls, and waits until all have set it. It stands still.
 * @param moment time as ISO 8601
 */
export async function setClock(servers: readonly Server[], moment: string): Promise<void> {
  await Promise.all(
    servers.map(async ({ process: child }) => {
      const done = once(child, 'message')
      child.send(moment)
      await done
    }),
  )
}

/** Request and result of one caller. */
interface RaceResult {
  requestKey: string
  /** The issued key, or the code of the refusal. */
  answer: string
  /** True if `answer` is a key. */
  isIssued: boolean
}

/**
 * Requests all these keys concurrently, spread over the servers and the sessions.
 * @returns the results in the order of the keys
 */
export async function askAtOnce(
  servers: readonly Server[],
  sessions: readonly string[],
  requestKeys: readonly string[],
): Promise<RaceResult[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  try {
    return await Promise.all(
      requestKeys.map(async (requestKey, i) => {
        const { port } = servers[i % servers.length] as Server
        const session = sessions[i % sessions.length] as string
        // Many programs have many addresses; on one machine these are all its own.
        const localAddress =
          process.platform === 'linux' ? `127.0.${1 + ((i >> 6) & 127)}.${1 + (i & 63)}` : undefined
        const { status, text } = await send(
          {
            agent,
            port,
            method: 'POST',
            path: API_BASE + issueKey.path,
            headers: { 'Content-Type': 'application/json', [SESSION_HEADER]: session },
            ...(localAddress !== undefined && { localAddress }),
          },
          [Buffer.from(sealInput(issueKey, { requestKey }))],
        )
        if (status === 200) {
          const key = openOutput(issueKey, text) as { issuedKey: string }
          return { requestKey, answer: key.issuedKey, isIssued: true }
        }
        return { requestKey, answer: (JSON.parse(text) as { code: string }).code, isIssued: false }
      }),
    )
  } finally {
    agent.destroy()
  }
}
