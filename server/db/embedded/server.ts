import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataArgument } from './cluster.ts'
import { type GuardedCommand, startGuarded } from './watchdog.ts'
import type { Identity } from './os-user.ts'
import { endOrphan } from './orphan.ts'
import { refusalFromOutput } from './startup-errors.ts'
import { makeSocketDir, removeSocketDir } from './socket-dir.ts'

/** Input of `launch`. */
export interface Launch {
  /** Folder of the cluster, which is not empty. */
  dir: string
  /** Folder that contains PostgreSQL's bin/. */
  home: string
  /** Identity that PostgreSQL runs as; undefined for that of this process. */
  identity: Identity | undefined
  /** Uses TCP, and a command to end it; default: on Windows. */
  asOnWindows?: boolean | undefined
  logFile: string
  /** PostgreSQL settings that come before the default ones. */
  settings: Record<string, string>
  /** Receives a line of progress while PostgreSQL recovers. */
  log: (line: string) => void
  /** Previous socket or port, to start at the same place again. */
  again?: Pick<Server, 'host' | 'port'>
}

/** PostgreSQL that accepts connections. */
export interface Server {
  /** Directory of the socket, or 127.0.0.1. */
  host: string
  port: number
  /** Resolves with one line for the log if it ends without `stop()`; otherwise never. */
  exited: Promise<string>
  /** Stops PostgreSQL in order, and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on a cluster and waits until it is ready. After a crash the recovery has no time limit.
 * @throws {StartRefusal} with PostgreSQL's error
 */
export async function launch(wanted: Launch): Promise<Server> {
  const { dir, home, identity, logFile, log, asOnWindows = process.platform === 'win32' } = wanted
  const deadline = Date.now() + 15_000
  for (;;) {
    const socket = asOnWindows ? undefined : makeSocketDir(dir, identity, wanted.again?.host)
    const port = socket === undefined ? (wanted.again?.port ?? (await freePort())) : 5432
    const settings: Record<string, string> = {
      listen_addresses: socket === undefined ? '127.0.0.1' : '',
      unix_socket_directories: socket === undefined ? '' : `"${socket.setting}"`,
      port: String(port),
      shared_buffers: '128MB',
      max_connections: '60',
      timezone: 'UTC',
      log_timezone: 'UTC',
      log_destination: 'stderr',
      // Syncs the file system once before the recovery, instead of each of 1,700 files. On a disk that takes 60 ms per sync this
      // saves two minutes (design/postgresql#crash-recovery).
      ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
      ...wanted.settings,
    }
    const server = startGuarded({
      file: join(home, 'bin', 'postgres'),
      args: [
        '-D',
        dataArgument(dir),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      cwd: dir,
      identity,
      logFile,
      readyText: 'database system is ready to accept connections',
      stopCommand: { file: join(home, 'bin', 'pg_ctl'), args: ['stop', '-m', 'fast', '-D', dir] },
      removeAtEnd: socket?.temporary,
      asOnWindows,
    })
    const failure = await untilReady(server, log)
    if (failure === undefined) return { host: socket?.path ?? '127.0.0.1', port, ...watch(server, dir) }
    removeSocketDir(dir)
    // After a kill -9 of the database its last child processes may still be ending.
    const transient = failure.some((line) => line.includes('pre-existing shared memory block'))
    if (!transient || Date.now() > deadline) throw refusalFromOutput(failure, dir, logFile)
    await sleep(100)
  }
}

/**
 * Waits until PostgreSQL is ready, and logs every five seconds that it still recovers.
 * @returns undefined if it is ready; the last lines that it printed if it ended instead
 */
async function untilReady(
  server: GuardedCommand,
  log: (line: string) => void,
): Promise<readonly string[] | undefined> {
  // A start is slow only after a crash. Then it has no time limit.
  const patience = setInterval(() => log('The database is still recovering from an earlier crash …'), 5_000)
  const ended = server.exit.then((exit) => exit?.tail ?? ['error: its watchdog process was killed'])
  try {
    return (await Promise.race([server.ready, ended])) ?? undefined
  } finally {
    clearInterval(patience)
  }
}

/**
 * Watches a running PostgreSQL: when it has ended, deletes its temporary socket directory. If its watchdog was killed, ends
 * PostgreSQL first.
 * @param dir folder of the cluster
 */
function watch(server: GuardedCommand, dir: string): Pick<Server, 'exited' | 'stop'> {
  let stopping = false
  const exit = server.exit.then(async (ended) => {
    if (ended === undefined) await endOrphan(dir, () => {})
    else removeSocketDir(dir)
    return ended
  })
  const exited = exit.then((ended) => {
    if (stopping) return new Promise<never>(() => {})
    const last = ended?.tail.findLast((line) => /FATAL|PANIC/.test(line)) ?? ended?.tail.at(-1)
    const how = ended ? (ended.signal ?? `code ${ended.code}`) : 'its watchdog process was killed'
    return `The database on ${dir} ended unexpectedly (${how})${last === undefined ? '' : `: ${last}`}`
  })
  return {
    exited,
    async stop() {
      stopping = true
      server.stop()
      await exit
    },
  }
}

/** Returns a port of 127.0.0.1 that is free now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((settle, fail) => {
    server.once('error', fail).listen(0, '127.0.0.1', settle)
  })
  const address = server.address()
  await new Promise((settle) => {
    server.close(settle)
  })
  return typeof address === 'object' && address ? address.port : 0
}
