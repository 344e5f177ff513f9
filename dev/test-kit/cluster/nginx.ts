import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { selfSignedCertificate } from '../certificate.ts'
import { findProgram, folderOf, freePort, startServer } from './programs.ts'

/** nginx as Debian ships it, with the settings of `deploy/nginx.conf`. */
export interface Nginx {
  /** Port for TLS; `plainPort` redirects there, and `openPort` serves the same without TLS. */
  port: number
  plainPort: number
  openPort: number
  /** The certificate, as PEM. */
  certificate: string
  /** Lists the request bodies that it currently buffers on its disk, and their folders. */
  kept(): string[]
  /** Returns its request log. */
  log(): string
  stop(): Promise<void>
}

/** nginx settings that operators start from. */
const SAMPLE = new URL('../../../deploy/nginx.conf', import.meta.url)

/**
 * Starts nginx in front of copies of Maru on this machine, and waits until it responds.
 * @param maruPorts port of each copy
 * @throws {Error} with its log if it ends before
 */
export async function startNginx(...maruPorts: number[]): Promise<Nginx> {
  const cwd = folderOf(undefined, 'nginx')
  const [port, plainPort, openPort] = [await freePort(), await freePort(), await freePort()]
  const { key, certificate } = selfSignedCertificate()
  writeFileSync(join(cwd, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(join(cwd, 'certificate.pem'), certificate)
  const site = readFileSync(SAMPLE, 'utf8')
    .replaceAll(/^\s*listen \[::\].*\n/gm, '')
    .replace('listen 443', `listen 127.0.0.1:${openPort};\n  listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
    .replace(/^ *server 127.0.0.1:3000;$/m, maruPorts.map((each) => `server 127.0.0.1:${each};`).join('\n'))
    .replace('/etc/ssl/maru/fullchain.pem', join(cwd, 'certificate.pem'))
    .replace('/etc/ssl/maru/privkey.pem', join(cwd, 'key.pem'))
    .replace('/var/log/nginx/maru.log', join(cwd, 'access.log'))
  writeFileSync(
    join(cwd, 'nginx.conf'),
    `daemon off;
pid nginx.pid;
events {}
http {
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path kept;`).join('\n')}
access_log off;
${site}
}
`,
  )
  const nginx = startServer(
    findProgram('nginx') ?? 'nginx',
    ['-p', cwd, '-c', 'nginx.conf', '-e', 'error.log'],
    {
      cwd,
      runner: undefined,
    },
  )
  const ended = once(nginx, 'exit')
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${plainPort}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (nginx.exitCode !== null)
      throw new Error(`nginx ended: ${readFileSync(join(cwd, 'error.log'), 'utf8')}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    plainPort,
    openPort,
    certificate,
    kept() {
      const folder = join(cwd, 'kept')
      return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
    },
    log: () => readFileSync(join(cwd, 'access.log'), 'utf8'),
    async stop() {
      nginx.kill('SIGTERM')
      await ended
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}
