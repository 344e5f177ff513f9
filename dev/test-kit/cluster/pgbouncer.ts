import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { chooseIdentity } from '../../../server/db/embedded/os-user.ts'
import { folderOf, findProgram, freePort, startServer } from './programs.ts'

/** A PgBouncer in transaction mode that a test started in front of a PostgreSQL. */
export interface Bouncer {
  /** Connection to PgBouncer without a database, which the caller adds. */
  connection: { host: string; port: number; user: string }
  /** Sends RECONNECT: PgBouncer closes its connections to PostgreSQL when they are idle, and opens new ones. */
  reconnect(): Promise<void>
  /** Kills PgBouncer and deletes its folder. */
  stop(): Promise<void>
}

/**
 * Starts PgBouncer in front of a PostgreSQL, on a free port of 127.0.0.1 and in a folder of its own. Clients need
 * no password. Waits until it responds.
 * @param server host, port and user of the PostgreSQL
 * @param sessions maximum number of its connections to each database
 * @throws {Error} if PgBouncer ends before it responds
 */
export async function startPgBouncer(server: pg.ClientConfig, sessions: number): Promise<Bouncer> {
  const runner = chooseIdentity('/nonexistent')
  const cwd = folderOf(runner, 'pgbouncer')
  const port = await freePort()
  writeFileSync(
    join(cwd, 'pgbouncer.ini'),
    `[databases]
* = host=${server.host} port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = admin
pool_mode = transaction
default_pool_size = ${sessions}
`,
  )
  const bouncer = startServer(findProgram('pgbouncer') ?? 'pgbouncer', ['pgbouncer.ini'], { cwd, runner })
  const ended = once(bouncer, 'exit')
  const admin = async (command: string) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'admin', database: 'pgbouncer' })
    client.on('error', () => {})
    await client.connect()
    await client.query(command)
    await client.end()
  }
  for (;;) {
    const isUp = await admin('show version').then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (bouncer.exitCode !== null) throw new Error(`PgBouncer ended with ${bouncer.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    connection: { host: '127.0.0.1', port, user: server.user ?? 'maru' },
    reconnect: () => admin('reconnect'),
    async stop() {
      bouncer.kill('SIGKILL')
      await ended
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}
