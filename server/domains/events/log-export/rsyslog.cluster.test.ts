import tls from 'node:tls'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listUsers } from '../../../../contract/users.ts'
import { type Rsyslog, startRsyslog } from '../../../../dev/test-kit/cluster/rsyslog.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { PortalJob } from '../../../services/job-runner.ts'
import { logExportJobs } from './jobs.ts'

/* Exports both logs to a real rsyslog by TLS (rules/events#syslog). */

const maru = useMaru()
const never = new AbortController().signal
const trusted = tls.getCACertificates('default')
/** Shorter than in production, so that there can be more batches. */
const HOLD_MS = 200
let rsyslog: Rsyslog
let job: PortalJob

/** Creates the job, as of a server that has just started. */
function startJob(): PortalJob {
  const logExport = {
    receiver: { isTls: true, host: 'localhost', port: rsyslog.port },
    folder: '',
    fileDays: 0,
  }
  const [syslog] = logExportJobs(maru.database, { logExport }, pino({ level: 'silent' }), {
    pauseMs: 0,
    syslog: { timeoutMs: 20_000, holdMs: HOLD_MS },
  })
  return syslog ?? expect.unreachable('no job')
}

beforeAll(async () => {
  rsyslog = await startRsyslog()
  tls.setDefaultCACertificates([...trusted, rsyslog.certificate])
  job = startJob()
  await job.run(never)
})
afterAll(async () => {
  tls.setDefaultCACertificates(trusted)
  await rsyslog.stop()
})

interface Row {
  log: 'audit' | 'access'
  number: number
  eventId?: string
  target?: string
}
const rowsOf = (log: Row['log']) =>
  rsyslog
    .received()
    .filter(({ header }) => header.endsWith(` ${log}`))
    .map(({ text }) => JSON.parse(text) as Row)

const happen = (count: number) =>
  maru.database.pool.query(
    `insert into audit_log (action, target, address, request_id, detail)
      select 'team.create', '개발팀 "' || i || E'"\\n', '', '', jsonb_build_object('i', i) from generate_series(1, $1) as i`,
    [count],
  )
const newest = async (table: string) =>
  Number((await maru.database.pool.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n)

test('messages arrive with their parts, in order', async () => {
  const { session } = await maru.createUser({ role: 'admin' })
  await maru.call(listUsers, {}, { session })
  await happen(3)
  await job.run(never)
  expect(rowsOf('audit').map(({ target }) => target)).toEqual([1, 2, 3].map((i) => `개발팀 "${i}"\n`))
  expect(rowsOf('access').length).toBeGreaterThan(0)
  for (const { header } of rsyslog.received())
    expect(header).toMatch(/^110 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+09:00 maru (audit|access)$/)
})

test('loses no row if rsyslog is killed at any time, keeps the order, and repeats rows with their numbers (rules/events#log-export)', async () => {
  await happen(10_000)
  let kills = 0
  for (let isMore = true; isMore || (await pending()) > 0;) {
    const batch = job.run(never)
    // At a different point of each batch: before it is sent, while it is read, and while it waits for the witness.
    if (kills < 12) {
      await new Promise((resolve) => setTimeout(resolve, (kills * 37) % (2 * HOLD_MS)))
      await rsyslog.kill()
      kills += 1
      isMore = (await batch) === true
      await rsyslog.start()
      // The server is killed, too.
      if (kills % 3 === 0) job = startJob()
    } else isMore = (await batch) === true
  }
  const rows = rowsOf('audit')
  const firsts = rows.filter(({ number }, place) => rows.findIndex((row) => row.number === number) === place)
  expect(firsts.map(({ number }) => number)).toEqual(firsts.map((_, place) => place + 1))
  expect(firsts).toHaveLength(await newest('audit_log'))
  expect(rows.length).toBeGreaterThan(firsts.length)
  const events = new Map(firsts.map((row) => [row.number, row.eventId]))
  for (const row of rows) expect(row.eventId).toBe(events.get(row.number))
  // A repetition begins at one place, and goes on in order from there.
  for (const [place, { number }] of rows.entries())
    if (place > 0) expect(number).toBeLessThanOrEqual((rows[place - 1]?.number ?? 0) + 1)
})

test('sends nothing to a receiver whose certificate is not trusted', async () => {
  tls.setDefaultCACertificates(trusted)
  const before = rsyslog.received().length
  await happen(1)
  await startJob().run(never)
  expect(rsyslog.received()).toHaveLength(before)
  expect(await pending()).toBe(1)
  tls.setDefaultCACertificates([...trusted, rsyslog.certificate])
  await startJob().run(never)
  expect(await pending()).toBe(0)
})

async function pending(): Promise<number> {
  const { rows } = await maru.database.pool.query<{ n: string }>(
    `select count(*) as n from audit_log where id > (select position from log_exports where log = 'audit')`,
  )
  return Number(rows[0]?.n)
}
