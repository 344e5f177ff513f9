import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findProgram, folderOf, freePort, killIfThere, nobody, startServer } from './programs.ts'

/** Two PostgreSQL servers, a primary and a synchronous standby, managed by Patroni. */
export interface PatroniCluster {
  /** Ports of PostgreSQL and of Patroni's API, per node. */
  nodes: readonly { port: number; api: number }[]
  /** Returns the connection to the current primary; with port 0 while there is none. */
  primary(): Promise<pg.ClientConfig>
  /**
   * Kills the primary and its Patroni, as a power loss does.
   * @throws {Error} if there is no primary
   */
  killPrimary(): Promise<void>
  stop(): Promise<void>
}

/** Seconds after which a silent leader is replaced. In production 20 and more, see docs/scaling.md. */
const TTL_SECONDS = 10

/**
 * Starts etcd and two nodes, and waits until replication is synchronous.
 * @param home folder that contains PostgreSQL's bin/
 * @throws {Error} with the log if that takes more than 90 seconds
 */
export async function startPatroni(home: string): Promise<PatroniCluster> {
  const runner = nobody()
  const cwd = folderOf(runner, 'patroni')
  const options = { cwd, env: { HOME: cwd }, runner }
  const [client, peer] = [await freePort(), await freePort()]
  const etcd = startServer(
    findProgram('etcd') ?? 'etcd',
    [
      `--data-dir=${join(cwd, 'etcd')}`,
      '--unsafe-no-fsync',
      '--log-level=error',
      `--listen-client-urls=${at(client)}`,
      `--advertise-client-urls=${at(client)}`,
      `--listen-peer-urls=${at(peer)}`,
      `--initial-advertise-peer-urls=${at(peer)}`,
      `--initial-cluster=default=${at(peer)}`,
    ],
    options,
  )
  const start = async (name: string) => {
    const [port, api] = [await freePort(), await freePort()]
    const data = join(cwd, name)
    const file = join(cwd, `${name}.yml`)
    writeFileSync(file, settingsOf({ name, port, api, data, etcd: client, bin: join(home, 'bin'), cwd }))
    return { port, api, data, patroni: startServer(findProgram('patroni') ?? 'patroni', [file], options) }
  }
  const nodes = [await start('a'), await start('b')]

  const roles = async () =>
    Promise.all(
      nodes.map(async ({ api }) => {
        const answer = await fetch(`http://127.0.0.1:${api}/cluster`).catch(() => undefined)
        const cluster = (await answer?.json().catch(() => undefined)) as
          { members?: { role: string; state: string; port: number }[] } | undefined
        return cluster?.members ?? []
      }),
    ).then((all) => all.toSorted((a, b) => b.length - a.length)[0] ?? [])
  const leader = async () => {
    const port = (await roles()).find(({ role, state }) => role === 'leader' && state === 'running')?.port
    return nodes.find((node) => node.port === port)
  }
  const isWhole = async () => (await roles()).some(({ role }) => role === 'sync_standby')
  const stop = async () => {
    // Patroni ends its PostgreSQL.
    for (const child of [...nodes.map(({ patroni }) => patroni), etcd]) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(cwd, { recursive: true, force: true })
  }
  for (let waited = 0; !(await isWhole()); waited++) {
    if (waited > 900) {
      const log = readFileSync(join(cwd, 'log'), 'utf8').slice(-4_000)
      await stop()
      throw new Error(`Patroni did not come up:\n${log}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    nodes,
    primary: async () => connectionTo((await leader())?.port),
    async killPrimary() {
      const node = await leader()
      if (node === undefined) throw new Error('there is no primary')
      const ended = once(node.patroni, 'exit')
      node.patroni.kill('SIGKILL')
      const postmaster = Number(readFileSync(join(node.data, 'postmaster.pid'), 'utf8').split('\n')[0])
      for (const pid of [postmaster, ...childrenOf(postmaster)]) killIfThere(pid)
      await ended
    },
    stop,
  }
}

/** Returns the http URL of a port of this machine, without a path. */
const at = (port: number) => `http://127.0.0.1:${port}`

/** Returns the connection settings of a node by its port; port 0, which refuses, if there is none. */
const connectionTo = (port = 0) => ({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })

/** Returns the settings of a node's Patroni. */
function settingsOf(node: {
  name: string
  port: number
  api: number
  data: string
  etcd: number
  bin: string
  cwd: string
}): string {
  // JSON is YAML.
  return JSON.stringify({
    scope: 'maru',
    name: node.name,
    restapi: { listen: `127.0.0.1:${node.api}`, connect_address: `127.0.0.1:${node.api}` },
    etcd3: { hosts: [`127.0.0.1:${node.etcd}`] },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: false, parameters: { max_connections: 60 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }, 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${node.port}`,
      connect_address: `127.0.0.1:${node.port}`,
      data_dir: node.data,
      bin_dir: node.bin,
      pgpass: join(node.cwd, `${node.name}.pgpass`),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      parameters: { unix_socket_directories: node.cwd },
    },
  })
}

/** Returns the process IDs of the children of a process. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        return readFileSync(`/proc/${child}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(pid)
      } catch {
        return false
      }
    })
}
