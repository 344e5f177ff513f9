import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, folderOf, freePort, startServer } from './programs.ts'

/** HAProxy settings that operators start from. */
const SAMPLE = new URL('../../../deploy/haproxy.cfg', import.meta.url)

/**
 * Starts HAProxy as Debian ships it, with the settings of `deploy/haproxy.cfg`, in front of two PostgreSQL servers.
 * Does not wait until it listens.
 * @param nodes ports of each PostgreSQL and of its Patroni's API
 * @returns the port at which it leads to the primary
 */
export async function startHaproxy(
  nodes: readonly { port: number; api: number }[],
): Promise<{ port: number; stop(): Promise<void> }> {
  const cwd = folderOf(undefined, 'haproxy')
  const port = await freePort()
  const settings = nodes.reduce(
    (text, node, n) =>
      text.replace(`10.0.0.1${n + 1}:5432 check port 8008`, `127.0.0.1:${node.port} check port ${node.api}`),
    readFileSync(SAMPLE, 'utf8').replace('127.0.0.1:5000', `127.0.0.1:${port}`),
  )
  writeFileSync(join(cwd, 'haproxy.cfg'), settings)
  const haproxy = startServer(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', 'haproxy.cfg'], {
    cwd,
    runner: undefined,
  })
  const ended = once(haproxy, 'exit')
  return {
    port,
    async stop() {
      haproxy.kill('SIGTERM')
      await ended
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}
