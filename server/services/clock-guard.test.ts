import { expect, test } from 'vitest'
import { listJobs } from '../jobs/schedule.ts'
import { createLog } from '../log.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { check, type Finding } from '../operator/check.ts'
import { createClockGuard } from './clock-guard.ts'

/*
 * A clock that is wrong (rules/running#clock). The machine's own is everybody's: what it was last is moved instead, which is the same
 * step the other way round.
 */
const maru = useMaru()
const sql = (text: string) => maru.database.pool.query(text)
const guard = () => createClockGuard(maru.database.pool, { error() {}, info() {} }, 0)

/** Moves the clock ahead of its last trusted time by `interval`; `doubted` is since when it has been untrusted. */
const jumpedBy = (interval: string, doubted = 'null') =>
  sql(`insert into heartbeat (trusted_at, seen_at) values (now(), now()) on conflict (id) do update
    set trusted_at = now() - interval '${interval}', seen_at = now() - interval '${interval}', doubted_since = ${doubted}`)

test.for(['2 days', '-2 days', '10 years', '-10 years'])('distrusts a step of %s', async (interval) => {
  await jumpedBy(interval)
  expect(await guard().isDoubted()).toBe(true)
  expect(await guard().isDoubted(), 'and goes on to be').toBe(true)
})

test.for(['0', '1 hour', '23 hours', '-23 hours'])('trusts a step of %s', async (interval) => {
  await jumpedBy(interval)
  expect(await guard().isDoubted()).toBe(false)
})

test('trusts the clock again once it is back, or has run on for a day', async () => {
  await jumpedBy('400 days')
  expect(await guard().isDoubted()).toBe(true)
  await sql("update heartbeat set trusted_at = now() - interval '5 minutes'")
  expect(await guard().isDoubted()).toBe(false)

  await jumpedBy('400 days')
  expect(await guard().isDoubted()).toBe(true)
  await sql("update heartbeat set doubted_since = now() - interval '23 hours'")
  expect(await guard().isDoubted()).toBe(true)
  await sql("update heartbeat set doubted_since = now() - interval '25 hours'")
  expect(await guard().isDoubted()).toBe(false)
  expect(await guard().isDoubted()).toBe(false)
})

test('ends no session and removes nothing while the clock is untrusted', async () => {
  const { services, database } = maru
  const code = `insert into certifications (type_code, email, login_id, salt, code_hash, expires_at)
    values ('TYP001', 'old@example.com', '', '', '', now() - interval '1 year')`
  await sql(code)
  const left = async () =>
    (await sql(`select 1 from certifications where email = 'old@example.com'`)).rowCount ?? 0
  const runAll = async () => {
    const jobs = listJobs(database, services, createLog('silent')).filter(({ name }) =>
      ['accounts', 'sessions', 'rows', 'files', 'access-log-months', 'daily-notification-mails'].includes(
        name,
      ),
    )
    expect(jobs).toHaveLength(6)
    return Promise.all(jobs.map((job) => job.run(new AbortController().signal)))
  }

  await jumpedBy('400 days')
  expect(await runAll()).toEqual(Array.from({ length: 6 }, () => 'later'))
  expect(await left()).toBe(1)
  const { body } = await maru.app.inject('/metrics')
  expect(body).toMatch(/^maru_clock_doubted 1$/m)
  const findings: Finding[] = []
  const storage = () => Promise.resolve(services.storage)
  for await (const finding of check({ config: services.config, database, storage })) findings.push(finding)
  const clock = findings.find(({ name }) => name === 'clock')
  expect(clock).toMatchObject({ isGood: false, line: expect.stringContaining('jumped') })

  await jumpedBy('0')
  expect(await runAll()).not.toContain('later')
  expect(await left()).toBe(0)
})
