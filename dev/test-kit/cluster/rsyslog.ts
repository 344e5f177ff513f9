import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { selfSignedCertificate } from '../certificate.ts'
import { findProgram, folderOf, freePort, startServer } from './programs.ts'

/** rsyslog with TLS, as Debian ships it. Writes each message before it reads the next one, as docs/operations.md recommends. */
export interface Rsyslog {
  port: number
  /** Its certificate, as PEM. */
  certificate: string
  /** Returns the messages that it has written, header and text, without a line that a kill cut. */
  received(): { header: string; text: string }[]
  /** Kills it, as a crash does. */
  kill(): Promise<void>
  /** Starts it again, on the same port and file, and waits until it accepts connections. */
  start(): Promise<void>
  /** Kills it and deletes its folder. */
  stop(): Promise<void>
}

/**
 * Starts an installed rsyslog on a free port, in a temporary folder with its own configuration and TLS certificate. Resolves when
 * it accepts connections.
 * @throws {Error} with its log if it ends before
 */
export async function startRsyslog(): Promise<Rsyslog> {
  const cwd = folderOf(undefined, 'rsyslog')
  const port = await freePort()
  const { key, certificate } = selfSignedCertificate()
  writeFileSync(join(cwd, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(join(cwd, 'certificate.pem'), certificate)
  const file = join(cwd, 'received')
  writeFileSync(
    join(cwd, 'rsyslog.conf'),
    `global(workDirectory="${cwd}" defaultNetstreamDriver="gtls" defaultNetstreamDriverCAFile="${cwd}/certificate.pem"
  defaultNetstreamDriverCertFile="${cwd}/certificate.pem" defaultNetstreamDriverKeyFile="${cwd}/key.pem")
main_queue(queue.type="Direct")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" port="${port}" address="127.0.0.1")
template(name="parts" type="string" string="%pri% %timestamp:::date-rfc3339% %app-name% %msgid%\\t%msg%\\n")
action(type="omfile" file="${file}" template="parts")
`,
  )
  let server: ReturnType<typeof startServer> | undefined

  /**
   * Starts rsyslog, and waits until it listens.
   * @throws {Error} with its log if it ends before
   */
  async function start(): Promise<void> {
    const args = ['-n', '-f', 'rsyslog.conf', '-i', join(cwd, 'pid')]
    server = startServer(findProgram('rsyslogd') ?? 'rsyslogd', args, { cwd, runner: undefined })
    while (!(await listens(port))) {
      if (server.exitCode !== null)
        throw new Error(`rsyslog ended: ${readFileSync(join(cwd, 'log'), 'utf8')}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  /** Kills rsyslog, waits for its end, and deletes a line that this cut. Does nothing if it does not run. */
  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    rmSync(join(cwd, 'pid'), { force: true })
    // rsyslog would append the next message to the cut line.
    if (existsSync(file)) truncateSync(file, readFileSync(file).lastIndexOf('\n') + 1)
  }

  await start()
  return {
    port,
    certificate,
    received() {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
      return lines.slice(0, -1).map((line) => {
        const [header = '', text = ''] = line.split('\t')
        return { header, text }
      })
    },
    kill,
    start,
    async stop() {
      await kill()
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}

/** Returns whether a program accepts connections on a port. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
