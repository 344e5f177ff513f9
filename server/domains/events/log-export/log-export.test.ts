import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../../contract/account.ts'
import { createWebhook } from '../../../../contract/events.ts'
import { createProgram } from '../../../../contract/keys.ts'
import { getSystem } from '../../../../contract/settings.ts'
import { getUser, listUsers } from '../../../../contract/users.ts'
import { koreanDay } from '../../../../dev/test-kit/days.ts'
import { factorsOf } from '../../../../dev/test-kit/factors.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import { type AuditedRecord, recordAudit } from '../../../records/audit.ts'
import type { SyslogReceiver } from '../../../services/syslog.ts'
import { logExportJobs } from './jobs.ts'
import { syslogMessageOf } from './syslog-message.ts'

const maru = useMaru({ LOG_FILE_DAYS: '7', METRICS_TOKEN: 'a-token' })
const never = new AbortController().signal
const TIMES = { timeoutMs: 20_000, holdMs: 10 }
const folder = () => join(maru.dataDir, 'export')
const nobody: SyslogReceiver = { isTls: false, host: '127.0.0.1', port: 1 }

/** Lines of the log of the jobs. */
let said: string[] = []

/** Creates the jobs of both destinations, as of a server that has just started. */
function jobsFor(receiver: SyslogReceiver | null) {
  said = []
  const logger = pino({}, { write: (line) => said.push(line) })
  const logExport = { ...maru.services.config.logExport, receiver }
  const jobs = logExportJobs(maru.database, { logExport }, logger, { pauseMs: 0, syslog: TIMES })
  return Object.fromEntries(jobs.map((job) => [job.name, job]))
}

async function exportFiles(): Promise<void> {
  while ((await jobsFor(null)['log-export-files']?.run(never)) === true);
}

const linesOf = (log: 'audit' | 'access') =>
  readdirSync(folder())
    .filter((name) => name.startsWith(log))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder(), name), 'utf8').trim().split('\n'))
const rowsOf = (log: 'audit' | 'access') =>
  linesOf(log).map((line) => JSON.parse(line) as { number: number } & Record<string, unknown>)

async function happen(detail: Record<string, unknown> = {}, records: AuditedRecord[] | null = null) {
  await maru.database.db.transaction().execute((tx) =>
    recordAudit(tx, {
      action: 'team.create',
      target: '개발팀',
      records,
      detail,
      address: '10.0.0.1',
      requestId: 'x',
    }),
  )
}

beforeEach(async () => {
  rmSync(folder(), { recursive: true, force: true })
  await maru.owner.query('delete from log_exports')
  // The first run of a new destination only notes where the logs end.
  await exportFiles()
})
afterEach(() => maru.owner.query('delete from log_exports'))

describe('rows of the daily files (rules/events#exported-rows)', () => {
  test('contain each row of both logs since the start, in order and numbered without a gap (rules/events#log-files)', async () => {
    expect(existsSync(folder())).toBe(false)
    const { session, id, userId } = await maru.createUser({ role: 'admin' })
    await maru.call(listUsers, {}, { session })
    for (let i = 0; i < 3; i += 1) await happen({ i }, [`user/${id}`])
    await exportFiles()
    expect(readdirSync(folder()).toSorted()).toEqual(
      expect.arrayContaining([`access-${koreanDay(0)}.jsonl`, `audit-${koreanDay(0)}.jsonl`]),
    )
    const audit = rowsOf('audit')
    expect(audit.slice(-3)).toMatchObject([0, 1, 2].map((i) => ({ detail: { i } })))
    expect(audit.map(({ number }) => number)).toEqual(audit.map((_, place) => place + 1))
    expect(audit.at(-1)).toEqual({
      log: 'audit',
      number: audit.length,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+09:00$/),
      action: 'team.create',
      address: '10.0.0.1',
      requestId: 'x',
      eventId: expect.stringMatching(/^\d+$/),
      actor: null,
      target: '개발팀',
      records: [`user/${id}`],
      detail: { i: 2 },
    })
    const access = rowsOf('access')
    const listed = access.find(({ call }) => call === listUsers.path)
    const { rows } = await maru.database.pool.query(
      `select position, encode(hash, 'hex') as hash from access_log order by month desc, position desc limit 1`,
    )
    expect(access.at(-1)).toMatchObject({ number: Number(rows[0].position), hash: rows[0].hash })
    expect(listed).toMatchObject({
      month: koreanDay(0).slice(0, 7),
      act: 'search',
      actor: { id, loginId: userId },
      result: '',
      subjects: expect.arrayContaining([id]),
      unknownSubjects: [],
    })
    for (const [place, { number }] of access.entries()) expect(number).toBe((access[0]?.number ?? 0) + place)
  })

  test('contain a row that commits after a later one, before that one', async () => {
    const slow = await maru.database.pool.connect()
    await slow.query('begin')
    await slow.query(
      `insert into audit_log (action, target, address, request_id) values ('team.create', 'first', '', '')`,
    )
    await happen()
    await exportFiles()
    expect(existsSync(folder())).toBe(false)
    await slow.query('commit')
    slow.release()
    await exportFiles()
    expect(rowsOf('audit')).toMatchObject([
      { number: 1, target: 'first' },
      { number: 2, target: '개발팀' },
    ])
  })

  test('mask phone numbers and emails, wherever they are, and name no person', async () => {
    const { session } = await maru.createUser({ role: 'admin' })
    const { userId } = await maru.createUser()
    await happen({
      phoneNumber: { before: '01012345678', after: '0212345678' },
      email: { before: 'kim.minsu@example.com', after: '' },
      users: [{ loginId: userId, remark: '연락처 010-1234-5678, lee@example.com' }],
    })
    await maru.call(listUsers, { name: '홍길동' }, { session })
    await exportFiles()
    expect(rowsOf('audit').at(-1)?.['detail']).toEqual({
      phoneNumber: { before: '010-****-5678', after: '02-****-5678' },
      email: { before: 'ki***@example.com', after: '' },
      users: [{ loginId: userId, remark: '연락처 010-****-5678, le***@example.com' }],
    })
    const access = linesOf('access').join('\n')
    expect(access).toContain('"filters":["name"]')
    expect(access).not.toContain('홍길동')
    expect(access).not.toMatch(/"010\d{8}"|@/)
  })

  test('mask phone numbers in other spellings, and those that were typed as an ID', async () => {
    const remark = '010 1234 5678, 010.1234.5678, +82 10-1234-5678, +821012345678, 02-123-4567'
    await happen({ remark, note: "o'brien@example.com" })
    const { session } = await maru.createUser({ role: 'admin' })
    await maru.call(getUser, { userId: '01012345678' }, { session })
    await maru.call(login, { loginId: '01012345678', password: 'wrong' })
    await exportFiles()
    const files = [...linesOf('audit'), ...linesOf('access')].join('\n')
    expect(files).not.toMatch(/1234.?5678|123-4567|brien|1012345678/)
  })

  test('stay one line each, whatever users wrote, and only the portal may read them', async () => {
    const hostile = '\u2028{"log":"audit","number":9}\u2029\u0085\u007f\r\n{"log":"audit"}'
    await happen({ hostile })
    await exportFiles()
    expect(rowsOf('audit').at(-1)?.['detail']).toEqual({ hostile })
    const file = join(folder(), `audit-${koreanDay(0)}.jsonl`)
    expect(readFileSync(file, 'utf8').split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(2)
    expect([statSync(folder()).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
  })

  test('contain no secret of a call', async () => {
    const user = await maru.createUser({ role: 'admin' })
    const { passGate } = factorsOf(maru, { now: new Date() })
    await passGate(user)
    const url = 'https://hooks.example.com/flow?sig=Secret-Sign&v=1#Secret-Part'
    const { data: hook } = await maru.call(createWebhook, { webhookName: '알림', url, eventKinds: [] }, user)
    const asked = { programName: '프로그램', validDays: 30, scopes: ['users:read' as const] }
    const { data: program } = await maru.call(createProgram, asked, user)
    await maru.call(login, { loginId: user.userId, password: 'Secret-Wrong-1' })
    await exportFiles()
    const files = [...linesOf('audit'), ...linesOf('access')].join('\n')
    expect(files).toContain('https://hooks.example.com/flow?***')
    expect(files).toContain('프로그램')
    expect(files).not.toContain('Secret-')
    for (const secret of [hook.webhookSecret, program.programToken, user.session]) {
      expect(secret.length).toBeGreaterThan(20)
      expect(files).not.toContain(secret)
    }
  })

  test('follow each other into the next month, when no server adds to the old one any more', async () => {
    await maru.owner.query(
      `update log_exports set month = '2026-01-01', position = 5, number = 5 where log = 'access'`,
    )
    const { session } = await maru.createUser({ role: 'admin' })
    await maru.call(listUsers, {}, { session })
    await exportFiles()
    expect(rowsOf('access')[0]).toMatchObject({ month: koreanDay(0).slice(0, 7), number: 1 })
  })
})

describe('the export', () => {
  test('repeats the rows of a server that was killed before it noted them, with the same numbers (rules/events#log-export)', async () => {
    await happen()
    await happen()
    const { rows } = await maru.owner.query('select * from log_exports')
    await exportFiles()
    // As after a kill between the write and the note, which also cut the last line.
    for (const { log, month, position, number } of rows)
      await maru.owner.query('update log_exports set month = $2, position = $3, number = $4 where log = $1', [
        log,
        month,
        position,
        number,
      ])
    const file = join(folder(), `audit-${koreanDay(0)}.jsonl`)
    truncateSync(file, readFileSync(file).length - 10)
    await happen()
    await exportFiles()
    const whole = linesOf('audit').filter((line) => line.endsWith('}'))
    expect(whole.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual([1, 1, 2, 3])
    expect(whole[0]).toBe(whole[1])
  })

  test('exports each row once if several servers run it at the same time', async () => {
    for (let i = 0; i < 50; i += 1) await happen({ i })
    const servers = Array.from({ length: 4 }, () => jobsFor(null)['log-export-files']!)
    for (let round = 0; round < 3; round += 1) await Promise.all(servers.map((server) => server.run(never)))
    expect(rowsOf('audit').map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
  })

  test('deletes files after their days, and no other files (rules/events#log-files)', async () => {
    await happen()
    await exportFiles()
    for (const name of [`audit-${koreanDay(-8)}.jsonl`, `access-${koreanDay(-7)}.jsonl`, 'notes.txt'])
      writeFileSync(join(folder(), name), '')
    await happen()
    await exportFiles()
    const left = readdirSync(folder())
    expect(left).not.toContain(`audit-${koreanDay(-8)}.jsonl`)
    expect(left).toEqual(expect.arrayContaining([`access-${koreanDay(-7)}.jsonl`, 'notes.txt']))
  })

  test('keeps rows for an unavailable receiver in the database alone, and reports that once (rules/events#unavailable-receiver)', async () => {
    const { 'log-export-syslog': syslog, 'log-export-files': files } = jobsFor(nobody)
    await syslog?.run(never)
    await happen()
    await maru.owner.query(`update log_exports set position = position - 1 where log = 'audit'`)
    const before = await maru.owner.query(`select * from log_exports where destination = 'syslog'`)
    for (let i = 0; i < 3; i += 1) expect(await syslog?.run(never)).toBe(false)
    expect(said.filter((line) => line.includes('the logs cannot be exported'))).toHaveLength(1)
    expect((await maru.owner.query(`select * from log_exports where destination = 'syslog'`)).rows).toEqual(
      before.rows,
    )
    // The other destination does not wait for it.
    await files?.run(never)
    expect(rowsOf('audit').length).toBeGreaterThan(0)
  })

  test('does not confirm rows that the receiver has not read', async () => {
    const hanging = createServer((socket) => socket.pause())
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const { port } = hanging.address() as AddressInfo
    const logger = pino({ level: 'silent' })
    const logExport = { receiver: { ...nobody, port }, folder: '', fileDays: 0 }
    const times = { timeoutMs: 300, holdMs: 10 }
    const [job] = logExportJobs(maru.database, { logExport }, logger, { pauseMs: 0, syslog: times })
    await job?.run(never)
    await happen()
    await job?.run(never)
    const { rows } = await maru.owner.query(
      `select number from log_exports where destination = 'syslog' and log = 'audit'`,
    )
    expect(rows).toEqual([{ number: '0' }])
    hanging.close()
  })

  test('does not confirm rows of a receiver that ended after it had read them', async () => {
    // The system closes all connections of a killed process in order, whatever it had in memory.
    const sockets = new Set<Socket>()
    let read = 0
    const killed = createServer((socket) => {
      sockets.add(socket)
      socket.on('data', (data) => (read += data.length))
      socket.on('end', () => sockets.forEach((each) => each.end()))
    })
    await new Promise<void>((resolve) => killed.listen(0, '127.0.0.1', resolve))
    const { port } = killed.address() as AddressInfo
    const job = jobsFor({ ...nobody, port })['log-export-syslog']
    await job?.run(never)
    await happen()
    await job?.run(never)
    expect(read).toBeGreaterThan(0)
    expect(said.join('')).toContain('the receiver ended')
    const { rows } = await maru.owner.query(
      `select number from log_exports where destination = 'syslog' and log = 'audit'`,
    )
    expect(rows).toEqual([{ number: '0' }])
    killed.close()
  })
})

test('shows a delay on the system page and in the metrics (rules/events#unavailable-receiver)', async () => {
  const admin = await maru.createUser({ role: 'admin' })
  const stateOf = async () =>
    (await maru.call(getSystem, {}, admin)).data.parts.find(({ part }) => part === 'logExport')
  const metrics = async () =>
    (await maru.app.inject({ url: '/metrics', headers: { authorization: 'Bearer a-token' } })).body
  await exportFiles()
  expect(await stateOf()).toMatchObject({ state: 'good', problems: [] })
  await maru.owner.query(
    `insert into audit_log (at, action, target, address, request_id) values (now() - interval '1 hour', 'team.create', '', '', '')`,
  )
  const late = await stateOf()
  expect(late).toMatchObject({ state: 'attention', problems: ['logExportLate'] })
  expect(late?.facts).toEqual(
    expect.arrayContaining([
      { fact: 'syslogServer', target: '', value: '' },
      { fact: 'exportFolder', target: '', value: folder() },
      { fact: 'exportWaits', target: '', value: expect.stringMatching(/^36\d\d$/) },
    ]),
  )
  expect(await metrics()).toMatch(/^maru_log_export_waits_seconds 36\d\d$/m)
  await exportFiles()
  expect(await stateOf()).toMatchObject({ state: 'good' })
})

test('omits lists from a syslog message that a receiver would cut, and keeps their number (rules/events#syslog)', () => {
  const subjects = Array.from({ length: 1000 }, (_, i) => String(1_000_000 + i))
  const fields = { act: 'export', subjectCount: 1000, subjects, result: '' }
  const at = '2026-11-26T22:31:43.123456+09:00'
  const row = { log: 'access', month: '2026-11-01', position: '7', number: '7', at, fields } as const
  const message = syslogMessageOf(row)
  expect(Buffer.byteLength(message)).toBeLessThan(8096)
  const [, head = '', json = ''] = /^(\S+ \S+ \S+ \S+ \S+ \S+ \S+) (.*)$/s.exec(message) ?? []
  expect(head).toMatch(/^<110>1 2026-11-26T22:31:43\.123456\+09:00 \S+ maru - access -$/)
  expect(JSON.parse(json)).toEqual({
    log: 'access',
    number: 7,
    at,
    act: 'export',
    subjectCount: 1000,
    result: '',
    omitted: ['subjects'],
  })
})
