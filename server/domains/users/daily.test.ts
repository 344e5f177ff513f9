import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../contract/account.ts'
import { getAuthority } from '../../../contract/common.ts'
import { extendUser, getUser, liftSuspension } from '../../../contract/users.ts'
import { startJobsAt } from '../../../dev/test-kit/jobs.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../dev/test-kit/people.ts'
import { runDaily } from './daily.ts'

// Mails stay in the queue for the assertions, and none is sent meanwhile.
const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:1' })
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '김관리' })
  hr = await maru.createUser({ role: 'hr', name: '이인사' })
})

// Each test begins on a day without a run, with nobody but the two.
beforeEach(async () => {
  await sql('update users set withdrawn_at = now() where id <> all ($1)', [[admin.id, hr.id]])
  await sql('delete from mails')
  await sql('delete from daily_runs')
  await sql('delete from account_notices')
})

const day = async (offset: number): Promise<string> =>
  (await sql(`select ((now() at time zone 'Asia/Seoul')::date + $1::int)::text as day`, [offset])).rows[0].day

/** Creates a user whose last day is this many days away and was decided long ago. */
async function ending(inDays: number, user: NewUser = {}): Promise<TestUser> {
  const person = await maru.createUser({ ...user, validFrom: '2020-01-01', validTo: await day(inDays) })
  await sql(
    `update users set confirmed_at = now() - interval '300 days', last_login_at = now() where id = $1`,
    [person.id],
  )
  return person
}
/** Creates a user whose last login was this many days ago. */
async function unused(days: number, user: NewUser = {}): Promise<TestUser> {
  const person = await maru.createUser(user)
  await sql(
    `update users set confirmed_at = now() - interval '900 days', last_login_at = now() - make_interval(days => $2) where id = $1`,
    [person.id, days],
  )
  return person
}
/** The warning went out this many days ago. */
const warnedBefore = (days: number) =>
  sql(`update account_notices set created_at = now() - make_interval(days => $1)`, [days])

/** A run on another day than the one before. */
async function run(): Promise<boolean> {
  await sql('delete from daily_runs')
  return runDaily(maru.database.db, maru.services)
}
const subjectsTo = async (email: string): Promise<string[]> =>
  (await sql('select subject from mails where recipient = $1 order by id', [email])).rows.map(
    (r) => r.subject,
  )
const textTo = async (email: string): Promise<string> =>
  (await sql('select text from mails where recipient = $1 order by id', [email])).rows
    .map((r) => r.text)
    .join('\n')
const mailCount = async () => (await sql('select count(*)::int as n from mails')).rows[0].n
const stateOf = async ({ id }: TestUser) =>
  (await sql('select suspended_at, withdrawn_at, valid_to from users where id = $1', [id])).rows[0]
/** A server begins to work at this time, looks once, and ends. */
const start = (time: string) => startJobsAt(time, ['accounts', 'sessions'], maru)
const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200

describe('the warning before an account ends (rules/users#end-warnings)', () => {
  test.each([30, 7, 1])('is mailed to the person once, %d days before', async (days) => {
    const person = await ending(days)
    await run()
    expect(await subjectsTo(person.email)).toEqual(['[주식회사 마루] 계정의 유효기간이 곧 끝납니다'])
    expect(await textTo(person.email)).toContain(`${await day(days)}까지이며, ${days}일 남았습니다.`)
    await run()
    await run()
    expect(await subjectsTo(person.email)).toHaveLength(1)
  })

  test.each([31, 45, -1])('is not mailed %d days before', async (days) => {
    await ending(days)
    await run()
    expect(await mailCount()).toBe(0)
  })

  test('is mailed late by a server that was off, but only the nearest one missed', async () => {
    const person = await ending(5)
    await run()
    expect(await subjectsTo(person.email)).toHaveLength(1)
    expect(await textTo(person.email)).toContain('5일 남았습니다.')
    await sql('update users set valid_to = valid_to - 4 where id = $1', [person.id])
    await sql(`update users set confirmed_at = now() - interval '300 days' where id = $1`, [person.id])
    await run()
    expect(await subjectsTo(person.email)).toHaveLength(2)
  })

  test('is not mailed when the end was set after the day of the warning', async () => {
    const person = await maru.createUser({ validTo: await day(20) })
    await run()
    expect(await subjectsTo(person.email)).toEqual([])
  })

  test('is mailed for the new end after an extension, not for the old one', async () => {
    const person = await ending(30)
    await run()
    await sql('delete from mails')
    await maru.call(extendUser, { userId: person.userId, validTo: await day(30) }, hr)
    await run()
    expect(await subjectsTo(person.email)).toEqual([])
  })

  test.each([
    ['withdrawn', 'withdrawn_at = now()'],
    ['not approved', `approval_code = 'MEMAP002'`],
    ['suspended', 'suspended_at = now()'],
  ])('is not mailed to somebody %s', async (_, change) => {
    const person = await ending(7)
    await sql(`update users set ${change} where id = $1`, [person.id])
    await run()
    expect(await mailCount()).toBe(0)
  })

  test('is in the language of the person', async () => {
    const person = await ending(1)
    await sql(`update users set language = 'en' where id = $1`, [person.id])
    await run()
    expect(await textTo(person.email)).toContain('in 1 day.')
  })
})

describe('the daily summary (rules/users#daily-summary)', () => {
  test('is one mail a day, without 관리자 for HR and without the recipient’s account', async () => {
    const people = [await ending(30, { name: '가하나' }), await ending(7, { name: '나두리' })]
    const boss = await ending(1, { role: 'admin', name: '다세찌' })
    await run()
    expect(await subjectsTo(admin.email)).toEqual(['[주식회사 마루] 곧 끝나거나 정지되는 계정 3건'])
    expect(await subjectsTo(hr.email)).toEqual(['[주식회사 마루] 곧 끝나거나 정지되는 계정 2건'])
    const [told, toldHr] = [await textTo(admin.email), await textTo(hr.email)]
    for (const person of people) {
      expect(told).toContain(person.userId)
      expect(toldHr).toContain(person.userId)
    }
    expect(told).toContain('다세찌')
    expect(toldHr).not.toContain('다세찌')
    // The 관리자 who ends gets a warning of their own and a summary of the others.
    const ownSummary = (
      await sql(`select text from mails where recipient = $1 and subject like '%건'`, [boss.email])
    ).rows
    expect(ownSummary).toHaveLength(1)
    expect(ownSummary[0].text).not.toContain('다세찌')
  })

  test('names to HR of another company only those in scope (rules/affiliations#external)', async () => {
    const outside = await maru.createUser({ role: 'hr', affiliation: 'BEL006' })
    await ending(7, { role: 'hr', affiliation: 'BEL006', name: '라너머' })
    await ending(7, { affiliation: 'BEL006', name: '마동료' })
    await sql(`update codes set is_external = true where code = 'BEL006'`)
    await run()
    await sql(`update codes set is_external = false where code = 'BEL006'`)
    const told = await textTo(outside.email)
    expect(told).toContain('마동료')
    expect(told).not.toContain('라너머')
  })

  test('is not sent to 일반 사용자, nor to anybody on a day with nothing to tell', async () => {
    await run()
    expect(await mailCount()).toBe(0)
  })
})

describe('an unused account', () => {
  test('is warned with its administrators after 166 days, and not suspended', async () => {
    const person = await unused(166)
    await unused(165)
    await run()
    expect(await subjectsTo(person.email)).toEqual(['[주식회사 마루] 사용하지 않은 계정이 곧 정지됩니다'])
    expect(await textTo(person.email)).toContain(`${await day(14)}에 정지될 예정입니다.`)
    expect(await subjectsTo(hr.email)).toHaveLength(1)
    expect(await stateOf(person)).toMatchObject({ suspended_at: null })
    await run()
    expect(await subjectsTo(person.email)).toHaveLength(1)
  })

  test('is warned, suspended 14 days later, logged out and logged, never deleted', async () => {
    const person = await unused(180)
    await run()
    await warnedBefore(14)
    await sql('delete from mails')
    expect(await isAlive(person.session)).toBe(true)
    await run()
    expect(await stateOf(person)).toMatchObject({ suspended_at: expect.any(Date), withdrawn_at: null })
    expect(await subjectsTo(person.email)).toEqual(['[주식회사 마루] 계정이 정지되었습니다'])
    expect((await sql('select from sessions where user_id = $1', [person.id])).rowCount).toBe(0)
    expect(
      (await sql('select actor_id, detail from audit_log where action = $1', ['user.suspend'])).rows,
    ).toEqual([{ actor_id: null, detail: { days: 180 } }])
    await run()
    expect(await subjectsTo(person.email)).toHaveLength(1)
  })

  test('is never suspended without a warning 14 days before, however long it is unused', async () => {
    const person = await unused(700)
    await run()
    expect(await stateOf(person)).toMatchObject({ suspended_at: null })
    await warnedBefore(13)
    await run()
    expect(await stateOf(person)).toMatchObject({ suspended_at: null })
    await warnedBefore(14)
    await run()
    expect(await stateOf(person)).toMatchObject({ suspended_at: expect.any(Date) })
  })

  test('is kept by a login after the warning, and is warned again the next time', async () => {
    const person = await unused(180)
    await run()
    await warnedBefore(14)
    expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).status).toBe(200)
    await run()
    expect(await stateOf(person)).toMatchObject({ suspended_at: null })
  })

  test('is revealed after the right password only, and lifting it restarts the count', async () => {
    const person = await unused(180)
    await run()
    await warnedBefore(14)
    await run()
    const entry = (password: string) => maru.call(login, { loginId: person.userId, password })
    expect(await entry(PASSWORD)).toMatchObject({ status: 400, code: 'ACCOUNT_SUSPENDED' })
    expect((await entry('wrong-Password-1!')).code).toBe('LOGIN_FAILED')
    expect((await maru.call(getUser, { userId: person.userId }, hr)).data.suspended).toBe(true)
    expect((await maru.call(liftSuspension, { userId: person.userId }, hr)).status).toBe(200)
    expect(await isAlive(person.session)).toBe(false)
    await run()
    expect(await stateOf(person)).toMatchObject({ suspended_at: null })
    expect((await entry(PASSWORD)).status).toBe(200)
    expect((await maru.call(liftSuspension, { userId: person.userId }, hr)).code).toBe('RECORD_CHANGED')
  })

  test('counts as used by an approval, an extension or a later start', async () => {
    const people = [await unused(200), await unused(200), await unused(200)]
    const changes = [`valid_to = '2099-01-01'`, `approval_code = 'MEMAP002'`, `valid_from = current_date`]
    for (const [i, person] of people.entries()) {
      await sql(`update users set ${changes[i]} where id = $1`, [person.id])
    }
    await sql(`update users set approval_code = 'MEMAP001' where id = $1`, [people[1]?.id])
    await run()
    for (const person of people) expect(await subjectsTo(person.email)).toEqual([])
  })

  test('never suspends or warns a 관리자 if no other lasts longer', async () => {
    await sql(
      `update users set confirmed_at = now() - interval '900 days', last_login_at = now() - interval '400 days' where id = $1`,
      [admin.id],
    )
    const other = await unused(500, { role: 'admin' })
    await run()
    await warnedBefore(20)
    await run()
    expect(await stateOf(other)).toMatchObject({ suspended_at: expect.any(Date) })
    expect(await stateOf(admin)).toMatchObject({ suspended_at: null })
    expect((await subjectsTo(admin.email)).filter((subject) => subject.includes('사용하지 않은'))).toEqual([])
    await sql('update users set last_login_at = now() where id = $1', [admin.id])
  })

  test('is never suspended if the setting is 0', async () => {
    const person = await unused(3000)
    await sql('delete from daily_runs')
    await sql('update settings set suspend_after_days = 0')
    await maru.services.settings.fresh()
    await runDaily(maru.database.db, maru.services)
    await sql('update settings set suspend_after_days = default')
    await maru.services.settings.fresh()
    await warnedBefore(100)
    expect([await stateOf(person), await mailCount()]).toMatchObject([{ suspended_at: null }, 0])
  })
})

describe('the daily run (rules/users#daily-run)', () => {
  test('is done by only one of eight simultaneous runs', async () => {
    const person = await ending(7)
    const { db } = maru.database
    const did = await Promise.all(Array.from({ length: 8 }, () => runDaily(db, maru.services)))
    expect(did.filter(Boolean)).toHaveLength(1)
    expect(await subjectsTo(person.email)).toHaveLength(1)
    expect(await subjectsTo(hr.email)).toHaveLength(1)
  })

  test('leaves nothing when it fails half-way, and the next one does all of it', async () => {
    const person = await ending(7)
    await maru.owner.query(`create function no_summary() returns trigger language plpgsql as $$ begin
      if new.subject like '%건' then raise 'the disk is full'; end if; return new; end $$`)
    await maru.owner.query(
      'create trigger no_summary before insert on mails for each row execute function no_summary()',
    )
    await expect(runDaily(maru.database.db, maru.services)).rejects.toThrow('the disk is full')
    await maru.owner.query('drop function no_summary cascade')
    expect(await mailCount()).toBe(0)
    expect(await runDaily(maru.database.db, maru.services)).toBe(true)
    expect(await subjectsTo(person.email)).toHaveLength(1)
  })

  test('ends expired sessions within a minute and mails from eight in the morning', async () => {
    const person = await ending(7)
    const gone = await ending(-1)
    await start('07:59')
    expect(await mailCount()).toBe(0)
    expect((await sql('select from sessions where user_id = $1', [gone.id])).rowCount).toBe(0)
    expect(await isAlive(person.session)).toBe(true)
    await start('08:00')
    expect(await subjectsTo(person.email)).toHaveLength(1)
  })
})
