import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { login } from '../contract/account.ts'
import { listCodes } from '../contract/common.ts'
import type { Endpoint, InputOf } from '../contract/endpoint.ts'
import { API_BASE } from '../contract/envelope.ts'
import { readConfig } from './config.ts'
import { startMaru } from './start.ts'
import { StartRefusal } from './startup-error.ts'
import { cloneTemplate, onDatabase, onServer, urlOf } from '../dev/test-kit/database.ts'
import { TEMPLATE_DATABASE } from '../dev/test-kit/global-setup.ts'
import { untilBlocked } from '../dev/test-kit/locks.ts'
import { type Program, startProgram } from '../dev/test-kit/program.ts'
import { sealInput, openOutput } from '../dev/test-kit/seal.ts'

/* Maru as a program, on a database of its own in which nobody is yet: real processes, real signals (rules/running#start). */

let name: string
let drop: () => Promise<void>
let folder: string
let programs: Program[]

beforeEach(async () => {
  programs = []
  folder = mkdtempSync(join(tmpdir(), 'maru-start-'))
  // Migrated: that takes longer than all the rest of a start.
  const copy = await cloneTemplate(inject('server'), TEMPLATE_DATABASE)
  name = copy.name
  drop = copy.drop
})

/** For what is about the first start of all: no table is there. */
async function emptyDatabase(): Promise<void> {
  await onServer(inject('server'), `drop database ${name}`)
  await onServer(inject('server'), `create database ${name} encoding 'UTF8' template template0`)
}

afterEach(async () => {
  for (const { process, ended } of programs) {
    process.kill('SIGKILL')
    await ended
  }
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

function start(env: Record<string, string> = {}): Program {
  // No .env of the machine that runs the tests.
  const program = startProgram(folder, { DATA_DIR: folder, DATABASE_URL: databaseUrl(), ...env })
  programs.push(program)
  return program
}

/**
 * Returns the error that a start fails with. It runs in this process, since a program first has to load all of Maru;
 * the programs below print it.
 */
async function refusalOf(env: Record<string, string>): Promise<StartRefusal> {
  const wrong = { DATA_DIR: folder, DATABASE_URL: databaseUrl(), PORT: '0', HOST: '127.0.0.1', ...env }
  const begin = async () =>
    startMaru({ config: readConfig({ ...wrong, LOG_LEVEL: 'silent' }), say: () => {} })
  const refused = await begin().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StartRefusal)
  return refused as StartRefusal
}

const databaseUrl = (of = name) => urlOf(onDatabase(inject('server'), of))
const servingUrl = (of = name) => urlOf(onDatabase(inject('serving'), of))

async function call<E extends Endpoint>(url: string, endpoint: E, input: InputOf<E>) {
  const response = await fetch(url + API_BASE + endpoint.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: sealInput(endpoint, input),
  })
  const body = (await response.json()) as { DATA?: string; code?: string }
  return {
    status: response.status,
    code: body.code,
    data: openOutput(endpoint, body) as Record<string, unknown> | undefined,
  }
}

async function users(): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(onDatabase(inject('server'), name))
  await client.connect()
  try {
    const table = await client.query(`select to_regclass('users') is not null as there`)
    if (!table.rows[0].there) return []
    return (await client.query('select login_id, role_code, password_temporary from users')).rows
  } finally {
    await client.end()
  }
}

/** Creates the settings that all servers of one database share, though each has its own DATA_DIR. */
const ALIKE = () => ({
  STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
  KEY_SECRET: 'one-secret-of-all-servers-of-this-database',
})

const PASSWORD_LINE = /Sign in as (\S+) with the password (\S+) /

describe('the first administrator (rules/running#first-administrator)', () => {
  test('gets a strong password, printed once, that must be changed at the first login', async () => {
    await emptyDatabase()
    const first = start()
    const url = await first.url
    const [, userId = '', password = ''] = PASSWORD_LINE.exec(first.text()) ?? []
    expect(userId).toBe('admin')
    expect(password.length).toBeGreaterThanOrEqual(16)
    expect(first.text().split(password)).toHaveLength(2)
    const answer = await call(url, login, { loginId: userId, password })
    expect(answer.data).toMatchObject({ userId: 'admin', mustChangePassword: true })
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = start()
    await second.url
    expect(second.text()).not.toMatch(/password/i)
    expect(await users()).toEqual([{ login_id: 'admin', role_code: 'AUT001', password_temporary: true }])
  })

  test('takes ADMIN_ID and ADMIN_PASSWORD, which is not printed and need not be changed', async () => {
    const maru = start({ ADMIN_ID: 'boss.kim', ADMIN_PASSWORD: 'a-Good-One-2026' })
    const url = await maru.url
    expect(maru.text()).toContain('Sign in as boss.kim with the password from ADMIN_PASSWORD.')
    expect(maru.text()).not.toContain('a-Good-One-2026')
    const answer = await call(url, login, { loginId: 'boss.kim', password: 'a-Good-One-2026' })
    expect(answer.data).toMatchObject({ mustChangePassword: false })
  })

  test('may have a Korean ADMIN_PASSWORD, however it is typed', async () => {
    const maru = start({ ADMIN_PASSWORD: '우리마루-2026'.normalize('NFD') })
    expect((await call(await maru.url, login, { loginId: 'admin', password: '우리마루-2026' })).status).toBe(
      200,
    )
  })

  test.each([
    ['too short', 'Ab1!'],
    ['too simple', 'abcdefghijkl'],
    ['a common one', 'password123!'],
    ['one with the ID in it', 'the-admin-2026!'],
  ])('is not made when ADMIN_PASSWORD is %s, and the start stops with one line', async (_, password) => {
    const refusal = await refusalOf({ ADMIN_PASSWORD: password })
    expect(refusal.message).toMatch(/^ADMIN_PASSWORD [^\n]+$/)
    expect(refusal.message).not.toContain(password)
    expect(await users()).toEqual([])
  })

  test('is created once by two Marus on one empty database; one prints the password', async () => {
    await emptyDatabase()
    const both = [start(ALIKE()), start({ ...ALIKE(), DATA_DIR: join(folder, 'other') })]
    await Promise.all(both.map(({ url }) => url))
    expect(both.filter((maru) => PASSWORD_LINE.test(maru.text()))).toHaveLength(1)
    expect(await users()).toHaveLength(1)
  })
})

describe('a start is refused with status 1 and one clear line that names what to change (rules/running#start-refusal)', () => {
  test('refuses a PORT in use, but prints a new administrator’s password all the same', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const maru = start({ PORT: String(port) })
    expect(await maru.ended).toBe(1)
    other.close()
    expect(maru.text()).toMatch(new RegExp(`^Maru did not start: PORT ${port} is already in use[^\n]+$`, 'm'))
    const [, userId = '', password = ''] = PASSWORD_LINE.exec(maru.text()) ?? []
    expect((await call(await start().url, login, { loginId: userId, password })).status).toBe(200)
  })

  test.each([
    ['DATABASE_URL', { DATABASE_URL: 'postgres://maru@127.0.0.1:1/maru' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://maru:a-secret@name.invalid/maru' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://[' }],
    ['DATABASE_URL must name one host', { DATABASE_URL: 'postgres://maru:a-secret@a:5432,b/maru' }],
    ['DATABASE_OWNER_URL must name one host', { DATABASE_OWNER_URL: 'postgres://a,b/maru' }],
    ['DATABASE_OWNER_URL', { DATABASE_URL: '', DATABASE_OWNER_URL: 'postgres://maru@host/maru' }],
    ['DATABASE_OWNER_URL', { DATABASE_OWNER_URL: 'postgres://maru:a-secret@127.0.0.1:1/maru' }],
    ['PORT', { PORT: 'abc' }],
    ['HOST', { HOST: '203.0.113.1' }],
    ['HOST', { HOST: 'name.invalid' }],
    ['ENVELOPE_KEY', { ENVELOPE_KEY: 'short' }],
  ])('refuses %s: %j', async (variable, env) => {
    const { message } = await refusalOf(env)
    expect(message).toMatch(new RegExp(`^${variable}\\b[^\\n]*$`))
    expect(message).not.toContain('a-secret')
  })

  test('refuses to start when the database in DATABASE_URL does not exist', async () => {
    const maru = start({ DATABASE_URL: databaseUrl('no_such_database') })
    expect(await maru.ended).toBe(1)
    expect(maru.text()).toMatch(/^Maru did not start: DATABASE_URL: [^\n]*no_such_database[^\n]*\n$/)
  })

  test('refuses to start when .env cannot be read', async () => {
    mkdirSync(join(folder, '.env'))
    const maru = start()
    expect(await maru.ended).toBe(1)
    expect(maru.text()).toMatch(/^Maru did not start: \.env cannot be read [^\n]+\n$/)
  })

  test('refuses to start when DATA_DIR cannot be written', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const maru = start({ DATA_DIR: file })
    expect(await maru.ended).toBe(1)
    expect(maru.text()).toMatch(/^Maru did not start: DATA_DIR [^\n]+\n$/)
  })
})

test('refuses a second server with another storage while the first one runs (rules/running#alike)', async () => {
  await start(ALIKE()).url
  const elsewhere = pathToFileURL(join(folder, 'elsewhere')).href
  const second = start({ ...ALIKE(), DATA_DIR: join(folder, 'other'), STORAGE_URL: elsewhere })
  expect(await second.ended).toBe(1)
  expect(second.text()).toMatch(
    /^Maru did not start: STORAGE_URL\b[^\n]* another server of this database [^\n]*\n$/m,
  )
})

describe('with DATABASE_OWNER_URL (rules/running#database-role)', () => {
  test('creates the tables as the owner, and does not warn of the application role', async () => {
    await emptyDatabase()
    const production = { ...ALIKE(), NODE_ENV: 'production', ADMIN_PASSWORD: 'a-Good-One-2026' }
    const maru = start({ ...production, DATABASE_URL: servingUrl(), DATABASE_OWNER_URL: databaseUrl() })
    const answer = await call(await maru.url, login, { loginId: 'admin', password: 'a-Good-One-2026' })
    expect(answer.status).toBe(200)
    expect(maru.text()).not.toContain('DATABASE_URL')
    const alone = start({ ...production, DATA_DIR: join(folder, 'other') })
    await alone.url
    expect(alone.text()).toMatch(
      /^\{"level":40,.*"msg":"The user in DATABASE_URL owns the tables or is a superuser/m,
    )
  })

  test('refuses to start with the owner URL of another database, and creates nothing', async () => {
    // Not the template itself: while somebody is connected to it, no other test gets its copy.
    const other = await cloneTemplate(inject('server'), TEMPLATE_DATABASE)
    onTestFinished(other.drop)
    const maru = start({ DATABASE_URL: servingUrl(other.name), DATABASE_OWNER_URL: databaseUrl() })
    expect(await maru.ended).toBe(1)
    expect(maru.text()).toMatch(/^Maru did not start: DATABASE_OWNER_URL names another database [^\n]+$/m)
    expect(await users()).toEqual([])
  })
})

test('prints JSON only in production (rules/running#log)', async () => {
  const maru = start({ NODE_ENV: 'production', LOG_LEVEL: 'debug' })
  await call(await maru.url, listCodes, { codeGroup: 'COMBEL001' })
  maru.process.kill('SIGTERM')
  expect(await maru.ended).toBe(0)
  const lines = maru.text().trim().split('\n')
  const read = lines.map((line) => JSON.parse(line) as { msg: string; level: number })
  expect(read).toContainEqual(expect.objectContaining({ msg: expect.stringMatching(/^Sign in as admin/) }))
  const wrong = start({ NODE_ENV: 'production', PORT: 'wrong' })
  expect(await wrong.ended).toBe(1)
  expect(JSON.parse(wrong.text())).toMatchObject({
    level: 60,
    msg: expect.stringMatching(/^Maru did not start: PORT/),
  })
})

test('sets from .env only what the environment does not', async () => {
  writeFileSync(
    join(folder, '.env'),
    'ADMIN_ID=from.file\nADMIN_PASSWORD="a-Good-One-2026"\nHOST=name.invalid\n',
  )
  const maru = start()
  await maru.url
  expect(maru.text()).toContain('Sign in as from.file with the password from ADMIN_PASSWORD.')
})

test('reports its own reason for a failed start and stops its database regardless', async () => {
  const config = readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' })
  const starting = startMaru({
    config,
    say: () => {},
    prepare: async (database) => {
      // The second close, which comes after the failure, fails too.
      await database.close()
      expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(true)
      throw new Error('the first failure')
    },
  })
  await expect(starting).rejects.toThrow('the first failure')
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
})

describe('SIGTERM', () => {
  test('lets a running call finish, answers no new one and ends the process with 0', async () => {
    const maru = start()
    const url = await maru.url
    const locker = await lockCodes()
    const running = call(url, listCodes, { codeGroup: 'COMBEL001' })
    await untilBlocked(locker)
    maru.process.kill('SIGTERM')
    // Health waits for no lock: a call that came before the signal is handled would hang until the end of the drain.
    const health = () =>
      fetch(`${url}/healthz`).then(
        () => 'answered',
        () => 'not answered',
      )
    await expect.poll(health).toBe('not answered')
    const another = call(url, listCodes, { codeGroup: 'COMBEL001' }).catch(() => 'not answered')
    expect(await another).toBe('not answered')
    expect(maru.process.exitCode).toBeNull()
    await locker.query('rollback')
    expect((await running).status).toBe(200)
    expect(await maru.ended).toBe(0)
    await locker.end()
  })

  test('says at once that it is not ready, and answers for STOP_READY_SECONDS', async () => {
    const maru = start({ STOP_READY_SECONDS: '300' })
    const url = await maru.url
    maru.process.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await call(url, listCodes, { codeGroup: 'COMBEL001' })).status).toBe(200)
  })

  test('ends a call that hangs at the end of the drain (rules/running#stop)', async () => {
    const maru = start({ STOP_SECONDS: '1' })
    const url = await maru.url
    const locker = await lockCodes()
    const running = call(url, listCodes, { codeGroup: 'COMBEL001' }).catch(() => 'cut')
    await untilBlocked(locker)
    maru.process.kill('SIGTERM')
    // The lock is still held: nothing but the drain's end can end the call.
    expect(await maru.ended).toBe(0)
    expect(await running).toBe('cut')
    await locker.end()
  })

  test('closes a connection that is idle or has not asked anything yet at once', async () => {
    const maru = start()
    const url = await maru.url
    const unused = connect(Number(new URL(url).port), 'localhost')
    await once(unused, 'connect')
    const idle = connect(Number(new URL(url).port), 'localhost')
    idle.write('GET /healthz HTTP/1.1\r\nHost: maru\r\n\r\n')
    await once(idle, 'data')
    const locker = await lockCodes()
    const running = call(url, listCodes, { codeGroup: 'COMBEL001' })
    await untilBlocked(locker)
    maru.process.kill('SIGINT')
    // It is closed while a call still runs, which is answered: so it is not the drain's end that closes it.
    await Promise.all([once(idle, 'close'), once(unused, 'close')])
    await locker.query('rollback')
    expect((await running).status).toBe(200)
    expect(await maru.ended).toBe(0)
    await locker.end()
  })

  test.skipIf(process.platform === 'win32')(
    'ends the server too if npm is signaled and only its shell notices',
    async () => {
      const main = join(import.meta.dirname, 'main.ts')
      const { PATH } = process.env
      const env = { PATH, PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: databaseUrl() }
      // A shell that stays, as npm's does.
      const shell = spawn('sh', ['-c', `"${process.execPath}" "${main}"; true`], {
        cwd: folder,
        env: { ...env, npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      await new Promise<void>((ready) => {
        shell.stdout.on('data', (chunk) => {
          said += chunk
          if (said.includes('Maru is ready')) ready()
        })
      })
      shell.kill()
      // Open until the server has ended.
      await once(shell.stdout, 'close')
    },
  )

  test('counts once if received twice, as from the terminal and from npm', async () => {
    const maru = start()
    const url = await maru.url
    const locker = await lockCodes()
    const running = call(url, listCodes, { codeGroup: 'COMBEL001' })
    await untilBlocked(locker)
    maru.process.kill('SIGINT')
    maru.process.kill('SIGTERM')
    // By now it has heard both.
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed')
    await locker.query('rollback')
    expect((await running).status).toBe(200)
    expect(await maru.ended).toBe(0)
    await locker.end()
  })
})

async function lockCodes(): Promise<pg.Client> {
  const client = new pg.Client(onDatabase(inject('server'), name))
  await client.connect()
  await client.query('begin; lock table codes in access exclusive mode')
  return client
}
