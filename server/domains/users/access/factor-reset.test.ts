import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAuthority } from '../../../../contract/common.ts'
import { getToDo } from '../../../../contract/home.ts'
import { listNotifications } from '../../../../contract/notifications.ts'
import {
  askFactorReset,
  confirmFactorReset,
  getFactorReset,
  refuseFactorReset,
  withdrawFactorReset,
} from '../../../../contract/users.ts'
import { factorsOf } from '../../../../dev/test-kit/factors.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { startSmtp } from '../../../../dev/test-kit/smtp.ts'

const smtp = await startSmtp()
const clock = { now: new Date() }
const maru = useMaru({ SMTP_URL: smtp.url }, { clock: () => clock.now })
afterAll(() => smtp.close())
const { enter, finish, ticketOf, withApp, codeOf } = factorsOf(maru, clock)
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

let asker: TestUser
let other: TestUser
let person: Awaited<ReturnType<typeof withApp>>

beforeAll(async () => {
  // The one that comes with the portal, who would be a second one everywhere.
  await owner('update users set withdrawn_at = now()')
})
beforeEach(async () => {
  await owner('delete from factor_resets')
  await owner(`update users set withdrawn_at = now() where role_code <> 'AUT003'`)
  asker = await eye()
  other = await eye()
  person = await withApp(await maru.createUser())
})

/** Creates an HR administrator with a second factor. */
const eye = async () => withApp(await maru.createUser({ role: 'hr' }))
const reason = '휴대전화 분실'
const ask = (by = asker, of: TestUser = person) =>
  maru.call(askFactorReset, { userId: of.userId, reason }, by)
const look = async (by: TestUser) => (await maru.call(getFactorReset, { userId: person.userId }, by)).data
const confirm = (resetId: string, by = other, at: Pick<typeof maru, 'call'> = maru) =>
  at.call(confirmFactorReset, { userId: person.userId, resetId }, by)
const refuseIt = (resetId: string, by = other) =>
  maru.call(refuseFactorReset, { userId: person.userId, resetId, reason: '본인이 아님' }, by)
const mailsTo = async ({ id, email }: TestUser) => {
  // Sent or still queued: what was never queued is neither.
  const queued = await owner('select subject from mails where recipient = $1 order by id', [email])
  const sent = smtp.mails.filter(({ to }) => to.includes(email))
  expect(id).not.toBe('')
  // By the subject: what the one of a finished reset says has other words, and no longer counted once it was sent.
  return [...sent, ...queued].filter(({ subject }) => /초기화/.test(String(subject))).length
}
const factors = () => owner('select 1 from totp_secrets where user_id = $1', [person.id])
const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
const actions = async () =>
  (
    await owner(
      `select action from audit_log where target = $1 and action like '%factor-reset' order by id`,
      [person.userId],
    )
  ).map(({ action }) => String(action))

/** A user whose password stays, and a caller who gave no way into the account. */
const plain = { involved: false, passwordEnds: false }

/** Returns the number of notifications, and the count on home. */
const shown = async (by: TestUser) => {
  const { notifications } = (await maru.call(listNotifications, { page: 1, perPage: 10 }, by)).data
  const told = notifications.filter(({ kind }) => kind === 'FACTOR_RESET')
  return [told.length, (await maru.call(getToDo, {}, by)).data.factorResetCount]
}

/** Nothing of the person's has changed, and nobody was mailed of it beyond the request. */
async function expectUntouched(): Promise<void> {
  expect(await factors()).toHaveLength(1)
  expect(await isAlive(person.session)).toBe(true)
  expect((await actions()).filter((action) => action === 'user.confirm-factor-reset')).toEqual([])
  const done = await owner(`select 1 from mails where recipient = $1 and subject like '%초기화되었습니다'`, [
    person.email,
  ])
  expect(done).toEqual([])
  expect(
    smtp.mails.filter(
      (mail) => mail.to.includes(person.email) && mail.text.includes('모든 기기에서 로그아웃'),
    ),
  ).toEqual([])
}

describe('a reset of second factors (rules/users#factor-reset)', () => {
  test('takes two administrators, deletes factors and sessions, and mails the user', async () => {
    expect(await look(other)).toEqual({ ...plain, hasFactor: true, alone: false, ownFactor: true })
    const { data } = await ask()
    expect(await look(asker)).toMatchObject({ reset: { ownRequest: true, reason, askerId: asker.userId } })
    expect(await look(other)).toMatchObject({ reset: { ownRequest: false, resetId: data.resetId } })
    await expect.poll(() => mailsTo(person)).toBe(1)
    expect((await confirm(data.resetId)).status).toBe(200)
    await expect.poll(() => mailsTo(person)).toBe(2)
    expect(await factors()).toEqual([])
    expect(await owner('select 1 from recovery_codes where user_id = $1', [person.id])).toEqual([])
    expect(await isAlive(person.session)).toBe(false)
    expect(await actions()).toEqual(['user.ask-factor-reset', 'user.confirm-factor-reset'])
    const log = await owner(
      `select call from access_log where subjects @> array[$1]::bigint[] and actor_id = $2 order by at`,
      [person.id, other.id],
    )
    expect(log.map(({ call }) => call)).toContain('/stm/v1/upd/factor/reset')
    expect((await enter(person)).status).toBe(200)
    expect(await look(other)).toEqual({ ...plain, hasFactor: false, alone: false, ownFactor: true })
  })

  test('makes the person set a new one up where the role has to have one', async () => {
    const { data } = await ask()
    await confirm(data.resetId)
    await owner(`update roles set factor_required_since = now() - interval '30 days' where code = 'AUT003'`)
    await owner(`update users set duties_since = now() - interval '30 days' where id = $1`, [person.id])
    expect((await enter(person)).data).toMatchObject({ mustSetUpFactor: true })
    await owner('update roles set factor_required_since = null')
  })

  test('cannot be confirmed or rejected by its requester or by its subject', async () => {
    const { data } = await ask()
    expect((await confirm(data.resetId, asker)).code).toBe('RESET_OWN')
    expect((await refuseIt(data.resetId, asker)).code).toBe('RESET_OWN')
    expect((await confirm(data.resetId, person)).code).toBe('FORBIDDEN')
    // The user is an administrator by now, but may not decide about their own account.
    await owner(`update users set role_code = 'AUT002' where id = $1`, [person.id])
    expect((await confirm(data.resetId, person)).code).toBe('FORBIDDEN')
    expect((await ask(person)).code).toBe('FORBIDDEN')
    await expectUntouched()
  })

  test('is refused with a reason, and the person keeps what they have', async () => {
    const { data } = await ask()
    expect((await refuseIt(data.resetId)).status).toBe(200)
    await expect.poll(() => mailsTo(person)).toBe(2)
    expect((await confirm(data.resetId)).code).toBe('RESET_NOT_FOUND')
    expect(await actions()).toEqual(['user.ask-factor-reset', 'user.refuse-factor-reset'])
    await expectUntouched()
    expect((await ask(other)).status).toBe(200)
  })

  test('is withdrawn by its asker alone', async () => {
    const { data } = await ask()
    const withdraw = (by: TestUser) =>
      maru.call(withdrawFactorReset, { userId: person.userId, resetId: data.resetId }, by)
    expect((await withdraw(other)).code).toBe('RESET_NOT_OWN')
    expect((await withdraw(asker)).status).toBe(200)
    expect((await withdraw(asker)).code).toBe('RESET_NOT_FOUND')
    expect((await confirm(data.resetId)).code).toBe('RESET_NOT_FOUND')
    await expectUntouched()
  })

  test('expires after three days and can then be requested again', async () => {
    const { data } = await ask()
    expect((await ask(other)).code).toBe('RESET_WAITS')
    await owner(`update factor_resets set asked_at = now() - interval '3 days'`)
    expect((await confirm(data.resetId)).code).toBe('RESET_NOT_FOUND')
    expect((await look(other)).reset).toBeUndefined()
    await expectUntouched()
    expect((await ask(other)).status).toBe(200)
  })

  test('ends when its person logs in with a second factor', async () => {
    const { data } = await ask()
    expect((await finish(await ticketOf(person), codeOf(person.secret))).status).toBe(200)
    expect((await confirm(data.resetId)).code).toBe('RESET_NOT_FOUND')
    await expectUntouched()
  })

  test('cannot be confirmed without a factor left, nor requested for users without one', async () => {
    const { data } = await ask()
    await owner('delete from totp_secrets where user_id = $1', [person.id])
    expect((await confirm(data.resetId)).code).toBe('FACTOR_NOT_FOUND')
    expect(await isAlive(person.session)).toBe(true)
    expect(await actions()).toEqual(['user.ask-factor-reset'])
    expect((await ask(asker, await maru.createUser())).code).toBe('FACTOR_NOT_FOUND')
  })

  test('needs the right of both at the moment that it is confirmed', async () => {
    const { data } = await ask()
    await owner(`update users set role_code = 'AUT003' where id = $1`, [asker.id])
    expect((await confirm(data.resetId)).code).toBe('RESET_ASKER_GONE')
    await owner(`update users set role_code = 'AUT002', suspended_at = now() where id = $1`, [asker.id])
    expect((await confirm(data.resetId)).code).toBe('RESET_ASKER_GONE')
    await owner(`update users set suspended_at = null where id = $1`, [asker.id])
    await owner(`update users set role_code = 'AUT003' where id = $1`, [other.id])
    expect((await confirm(data.resetId)).code).toBe('FORBIDDEN')
    // A user with a higher-privileged role is out of reach of both.
    await owner(`update users set role_code = 'AUT002' where id = $1`, [other.id])
    await owner(`update users set role_code = 'AUT001' where id = $1`, [person.id])
    expect((await confirm(data.resetId)).code).toBe('FORBIDDEN')
    await expectUntouched()
  })

  test('needs the second factor of the last ten minutes of both', async () => {
    const { data } = await ask()
    await owner(
      `update sessions set factor_checked_at = now() - interval '11 minutes' where user_id = any($1)`,
      [[asker.id, other.id]],
    )
    expect((await confirm(data.resetId)).code).toBe('CONFIRMATION_REQUIRED')
    expect((await ask()).code).toBe('CONFIRMATION_REQUIRED')
    await expectUntouched()
  })

  test('is confirmed once by two administrators on two servers at once', async () => {
    const third = await eye()
    const twin = await maru.startTwin()
    const { data } = await ask()
    const answers = await Promise.all([confirm(data.resetId), confirm(data.resetId, third, twin)])
    expect(answers.map(({ code }) => code ?? 'done').toSorted()).toEqual(['RESET_NOT_FOUND', 'done'])
    expect(await actions()).toEqual(['user.ask-factor-reset', 'user.confirm-factor-reset'])
  })

  test('cannot be asked for where nobody else could confirm it', async () => {
    await owner('update users set withdrawn_at = now() where id = $1', [other.id])
    expect(await look(asker)).toEqual({ ...plain, hasFactor: true, alone: true, ownFactor: true })
    expect((await ask()).code).toBe('RESET_NEEDS_TWO')
    expect(await mailsTo(person)).toBe(0)
    await expectUntouched()
  })

  test('is shown at home and as a notification to who may decide it, as long as it waits', async () => {
    const { data } = await ask()
    expect(await shown(other)).toEqual([1, 1])
    expect(await shown(asker)).toEqual([0, 0])
    expect(await shown(person)).toEqual([0, undefined])
    await refuseIt(data.resetId)
    expect(await shown(other)).toEqual([0, 0])
  })
})
