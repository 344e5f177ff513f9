import { beforeEach, describe, expect, test } from 'vitest'
import { createService, rollProgram, rollService } from '../../../contract/keys.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { startJobsAt } from '../../../dev/test-kit/jobs.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { programsOf } from '../../../dev/test-kit/programs.ts'
import { mailAtOnce } from '../notifications/index.ts'
import { eraseEndedTokens, notifyExpiringTokens } from './tokens.ts'

// Mails stay in the queue, where the tests read them.
const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:9' })
const { sql, count, holder, make } = programsOf(maru)

let kim: TestUser
let admin: TestUser
beforeEach(async () => {
  for (const table of ['program_tokens', 'service_tokens', 'notifications', 'notification_mails', 'mails'])
    await sql(`delete from ${table}`)
  await sql(`update users set withdrawn_at = now() where withdrawn_at is null`)
  kim = await holder()
  admin = await maru.createUser({ role: 'admin' })
})

/** Creates a token that was made long ago and ends in `days` days. */
async function endingIn(days: number, person = kim, name = '단말 설치'): Promise<string> {
  const { id } = await make(person, name)
  await age('program_tokens', id, days)
  return id
}
async function serviceEndingIn(days: number): Promise<string> {
  const { data } = await maru.call(createService, { serviceName: '지도 서비스' }, admin)
  await age('service_tokens', data.serviceId, days)
  return data.serviceId
}
/** Ages a token so that `days` days are left. */
const age = (table: string, id: string, days: number) =>
  sql(
    `update ${table} set told_at = told_at - (expires_at - now() - make_interval(days => $2)),
      expires_at = now() + make_interval(days => $2) where id = $1`,
    [id, days],
  )
const tell = () => notifyExpiringTokens(maru.database.db)
const told = async (person: TestUser) =>
  (await maru.call(listNotifications, {}, person)).data.notifications.map(
    ({ kind, programName, serviceName, expiresAt }) => ({
      kind,
      name: programName ?? serviceName,
      expiresAt,
    }),
  )
const mailsTo = async ({ email }: TestUser) =>
  sql('select subject, text from mails where recipient = $1', [email])

describe('the end of a program’s token (rules/keys#token-end-told)', () => {
  test('is told to its person 14 and 7 days before, once each, and to nobody else', async () => {
    const id = await endingIn(13)
    for (const _ of [1, 2]) await tell()
    expect(await told(kim)).toEqual([
      { kind: 'PROGRAM_ENDING', name: '단말 설치', expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\d /) },
    ])
    await age('program_tokens', id, 8)
    await tell()
    expect(await told(kim)).toHaveLength(1)
    await age('program_tokens', id, 6)
    for (const _ of [1, 2]) await tell()
    expect(await told(kim)).toHaveLength(2)
    await age('program_tokens', id, 1)
    await tell()
    expect(await told(kim)).toHaveLength(2)
    expect(await told(admin)).toEqual([])
  })

  test('notifies once even if eight servers run the job concurrently', async () => {
    await endingIn(13)
    await Promise.all(Array.from({ length: 8 }, tell))
    expect(await told(kim)).toHaveLength(1)
  })

  test('comes by mail, in the language of the person, with the name and the day', async () => {
    await sql(`update users set language = 'en' where id = $1`, [kim.id])
    await endingIn(6)
    await tell()
    await mailAtOnce(maru.database.db, maru.services.settings)
    const mails = await mailsTo(kim)
    expect(mails).toHaveLength(1)
    expect(mails[0].text).toMatch(/“단말 설치” expires at \d{4}-\d\d-\d\d \d\d:\d\d\./)
  })

  test('does not notify too early, or of tokens that ended or were renewed since', async () => {
    await endingIn(15, kim, '먼 것')
    await make(kim, '짧은 것', 5)
    const ended = await endingIn(3, kim, '끝난 것')
    await sql(`update program_tokens set ended_at = now(), end_reason = 'revoked' where id = $1`, [ended])
    const expired = await endingIn(3, kim, '만료된 것')
    await sql(`update program_tokens set expires_at = now() - interval '1 minute' where id = $1`, [expired])
    const rolled = await endingIn(3, kim, '교체한 것')
    await maru.call(rollProgram, { programId: rolled, validDays: 6 }, kim)
    await tell()
    expect(await told(kim)).toEqual([])
  })

  test('notifies again of the new end after a rotation', async () => {
    const id = await endingIn(6)
    await tell()
    await maru.call(rollProgram, { programId: id }, kim)
    await tell()
    expect(await told(kim)).toHaveLength(1)
    await age('program_tokens', id, 13)
    await tell()
    expect(await told(kim)).toHaveLength(2)
  })

  test('is told to nobody who may not log in', async () => {
    await endingIn(6)
    // By the clock alone: nothing has ended the token yet.
    await maru.owner.query('alter table users disable trigger users_end_program_tokens')
    await sql('update users set valid_to = current_date - 2 where id = $1', [kim.id])
    await maru.owner.query('alter table users enable trigger users_end_program_tokens')
    await tell()
    expect(await count('notifications')).toBe(0)
  })
})

describe('the end of a service’s token (rules/keys#token-end-told)', () => {
  test('is told to everybody who manages services, once each, until they do so no more', async () => {
    const other = await maru.createUser({ role: 'admin' })
    const hr = await maru.createUser({ role: 'hr' })
    const id = await serviceEndingIn(13)
    await Promise.all(Array.from({ length: 8 }, tell))
    const once = [{ kind: 'SERVICE_ENDING', name: '지도 서비스', expiresAt: expect.any(String) }]
    expect([await told(admin), await told(other), await told(hr), await told(kim)]).toEqual([
      once,
      once,
      [],
      [],
    ])
    await sql(`update users set role_code = (select role_code from users where id = $2) where id = $1`, [
      other.id,
      kim.id,
    ])
    expect(await told(other)).toEqual([])
    await mailAtOnce(maru.database.db, maru.services.settings)
    expect([(await mailsTo(admin)).length, (await mailsTo(other)).length]).toEqual([1, 0])
    await age('service_tokens', id, 6)
    await tell()
    expect(await told(admin)).toHaveLength(2)
  })

  test('is not told of one that is revoked, has no end, or was rolled over', async () => {
    const revoked = await serviceEndingIn(6)
    await sql('update service_tokens set revoked_at = now() where id = $1', [revoked])
    const rolled = await serviceEndingIn(6)
    await maru.call(rollService, { serviceId: rolled }, admin)
    const { id } = await maru.createService()
    await sql(
      `update service_tokens set expires_at = null, told_at = now() - interval '1 year' where id = $1`,
      [id],
    )
    await tell()
    expect(await told(admin)).toEqual([])
  })
})

test('notifies from eight in the morning on', async () => {
  await endingIn(6)
  await startJobsAt('07:59', ['token-ends'], maru)
  expect(await told(kim)).toEqual([])
  await startJobsAt('08:00', ['token-ends'], maru)
  expect(await told(kim)).toHaveLength(1)
})

test('deletes tokens of programs and services some time after their end (rules/retention#kinds)', async () => {
  const [live, over] = [await endingIn(6, kim, '쓰는 것'), await endingIn(6, kim, '끝난 것')]
  await sql(
    `update program_tokens set ended_at = now() - interval '91 days', end_reason = 'revoked' where id = $1`,
    [over],
  )
  const services: string[] = []
  for (const [expires, revoked] of [
    [`now() - interval '91 days'`, 'null'],
    [`now() + interval '9 days'`, `now() - interval '91 days'`],
    [`now() - interval '89 days'`, 'null'],
    ['null', 'null'],
  ]) {
    const { id } = await maru.createService()
    await sql(`update service_tokens set expires_at = ${expires}, revoked_at = ${revoked} where id = $1`, [
      id,
    ])
    services.push(id)
  }
  expect(await eraseEndedTokens(maru.database.db, 90, 2)).toBe(2)
  expect(await eraseEndedTokens(maru.database.db, 90, 2)).toBe(1)
  expect(await eraseEndedTokens(maru.database.db, 90, 2)).toBe(0)
  expect(await sql('select id from program_tokens')).toEqual([{ id: live }])
  expect((await sql('select id from service_tokens order by id')).map(({ id }) => id)).toEqual(
    services.slice(2).toSorted((a, b) => Number(a) - Number(b)),
  )
})
