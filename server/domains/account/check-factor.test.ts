import { beforeEach, describe, expect, test } from 'vitest'
import {
  beginTotp,
  checkFactor,
  confirmTotp,
  type Factor,
  readCheck,
  setPassword,
} from '../../../contract/account.ts'
import { CONFIRMATION_MINUTES } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/index.ts'
import { removeRole } from '../../../contract/roles.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { sampleOf } from '../../../dev/test-kit/samples.ts'

/* Users who have a second factor reauthenticate by it (rules/account#confirmation). */
const clock = { now: new Date() }
const maru = useMaru({}, { clock: () => clock.now })
const { codeOf, finish, nextCode, passGate, ticketOf, withApp, withPasskey, wrongCodeOf } = factorsOf(
  maru,
  clock,
)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const countTrail = async () => (await sql('select count(*)::int as n from audit_log'))[0].n

/** Lets minutes pass after the login and whatever the user proved since. */
async function wait({ id }: { id: string }, minutes = CONFIRMATION_MINUTES): Promise<void> {
  await sql(
    `update sessions set created_at = created_at - make_interval(mins => $2),
      password_checked_at = password_checked_at - make_interval(mins => $2),
      factor_checked_at = factor_checked_at - make_interval(mins => $2) where user_id = $1`,
    [id, minutes],
  )
}
const give = async ({ session }: { session: string }, proof: string, factor: Factor = 'TOTP') =>
  maru.call(checkFactor, { factor, proof }, { session })
/** Makes a call that needs a fresh session. */
const make = async ({ session }: { session: string }) =>
  (await maru.callRaw(removeRole.path, {}, { session })).code

let admin: TestUser
beforeEach(async () => {
  admin = await maru.createUser({ role: 'admin' })
})

describe('a user who has a second factor', () => {
  let person: Awaited<ReturnType<typeof withApp>>
  beforeEach(async () => {
    person = await withApp(admin)
    await wait(person)
  })

  test('is asked for it: the password alone does not reauthenticate', async () => {
    expect((await passGate(person)).status).toBe(200)
    expect(await make(person)).toBe('CONFIRMATION_REQUIRED')
    expect((await maru.call(readCheck, {}, person)).data.factors).toEqual(['TOTP', 'RECOVERY'])
    expect((await give(person, codeOf(person.secret))).status).toBe(200)
    expect(await make(person)).toBe('INPUT_INVALID')
    await wait(person, CONFIRMATION_MINUTES - 1)
    expect(await make(person)).toBe('INPUT_INVALID')
    await wait(person, 1)
    expect(await make(person)).toBe('CONFIRMATION_REQUIRED')
  })

  test('is not asked after a login with it, nor in another session for it', async () => {
    const { sessionUid: session } = (await finish(await ticketOf(person), codeOf(person.secret))).data
    expect(await make({ session })).toBe('INPUT_INVALID')
    expect(await make(person)).toBe('CONFIRMATION_REQUIRED')
  })

  test.each(
    endpoints
      .filter(({ endpoint: { confirmed } }) => confirmed === 'gate' || confirmed === 'password')
      .map((entry) => [entry.name, entry] as const),
  )('%s is refused after the password alone, and changes nothing', async (_name, entry) => {
    await passGate(person)
    const input = { ...sampleOf(entry), ...(entry.name.startsWith('export') && { password: PASSWORD }) }
    const before = await countTrail()
    const { path } = entry.endpoint
    const isGate = entry.endpoint.confirmed === 'gate'
    expect((await maru.callRaw(path, input, person)).code).toBe('CONFIRMATION_REQUIRED')
    expect(await countTrail()).toBe(before)
    await give(person, codeOf(person.secret))
    expect((await maru.callRaw(path, input, person)).code).not.toBe('CONFIRMATION_REQUIRED')
    // The second factor alone is not the password.
    const alone = await withApp(await maru.createUser({ role: 'admin' }))
    await sql('update sessions set password_checked_at = null where user_id = $1', [alone.id])
    if (isGate) expect((await maru.callRaw(path, input, alone)).code).toBe('PASSWORD_CHECK_REQUIRED')
  })

  test('loses the session by ten wrong codes in a row, and is notified', async () => {
    const wrong = wrongCodeOf(person.secret)
    for (let i = 0; i < 9; i += 1) expect((await give(person, wrong)).code).toBe('SECOND_FACTOR_WRONG')
    expect(await make(person)).toBe('CONFIRMATION_REQUIRED')
    expect((await give(person, codeOf(person.secret))).status).toBe(200)
    for (let i = 0; i < 9; i += 1) expect((await give(person, wrong)).code).toBe('SECOND_FACTOR_WRONG')
    expect((await give(person, wrong)).code).toBe('SESSION_REQUIRED')
    expect(await make(person)).toBe('SESSION_REQUIRED')
    const sent = await sql(
      `select kind, detail ->> 'reason' as reason from notifications where user_id = $1`,
      [person.id],
    )
    expect(sent).toEqual([{ kind: 'SESSION_ENDED', reason: 'factor' }])
  })

  test('disables it after 30 wrong codes sent concurrently, of which ten are checked', async () => {
    const wrong = wrongCodeOf(person.secret)
    const answers = await Promise.all(Array.from({ length: 30 }, () => give(person, wrong)))
    expect(answers.filter(({ code }) => code === 'SECOND_FACTOR_WRONG').length).toBeLessThanOrEqual(9)
    expect(await sql('select 1 from sessions where user_id = $1', [person.id])).toEqual([])
  })

  test('is not locked out of the login by wrong codes in a session', async () => {
    await sql('delete from login_networks where user_id = $1', [person.id])
    const wrong = wrongCodeOf(person.secret)
    for (let i = 0; i < 10; i += 1) await give(person, wrong)
    expect(await sql('select * from login_failures where login_id like $1', [`%${person.userId}%`])).toEqual(
      [],
    )
    expect(await sql('select * from factor_failures where user_id = $1', [person.id])).toEqual([])
    expect((await finish(await ticketOf(person), codeOf(person.secret))).status).toBe(200)
  })

  test('uses each code once, here and in logins', async () => {
    const code = codeOf(person.secret)
    await give(person, code)
    expect((await give(person, code)).code).toBe('SECOND_FACTOR_WRONG')
    expect((await finish(await ticketOf(person), code)).code).toBe('SECOND_FACTOR_WRONG')
    await give(person, person.codes[0] ?? '', 'RECOVERY')
    expect((await give(person, person.codes[0] ?? '', 'RECOVERY')).code).toBe('SECOND_FACTOR_WRONG')
  })

  test('keeps what was proved across a change of the password, and gains nothing by it', async () => {
    await give(person, codeOf(person.secret))
    await wait(person, 6)
    const change = { currentPassword: PASSWORD, newPassword: 'another-Maru-2026!' }
    const { sessionUid: session } = (await maru.call(setPassword, change, person)).data
    expect(await make({ session })).toBe('INPUT_INVALID')
    await wait(person, 4)
    expect(await make({ session })).toBe('CONFIRMATION_REQUIRED')
  })

  test('proves it by a passkey, whose answer counts once and in its session alone', async () => {
    await sql(`update settings set portal_url = 'https://portal.maru.kr'`)
    await maru.services.settings.fresh()
    const holder = await withPasskey(await maru.createUser({ role: 'admin' }))
    await wait(holder)
    const options = async () => (await maru.call(readCheck, {}, holder)).data.passkeyOptions
    const former = holder.device.sign(await options())
    const proof = holder.device.sign(await options())
    expect((await give(holder, former, 'PASSKEY')).code).toBe('PASSKEY_INVALID')
    expect((await give(holder, proof, 'PASSKEY')).status).toBe(200)
    expect(await make(holder)).toBe('INPUT_INVALID')
    expect((await give(holder, proof, 'PASSKEY')).code).toBe('PASSKEY_INVALID')
    const late = holder.device.sign(await options())
    await sql(`update sessions set challenged_at = now() - interval '301 seconds' where user_id = $1`, [
      holder.id,
    ])
    expect((await give(holder, late, 'PASSKEY')).code).toBe('PASSKEY_INVALID')
  })

  test('does not reauthenticate by setting one up', async () => {
    const thief = await maru.createUser({ role: 'admin' })
    await wait(thief)
    await passGate(thief)
    const { secret, enrolment } = (await maru.call(beginTotp, {}, thief)).data
    await maru.call(confirmTotp, { enrolment, code: codeOf(secret) }, thief)
    expect(await make(thief)).toBe('CONFIRMATION_REQUIRED')
    nextCode()
    expect((await give(thief, codeOf(secret))).status).toBe(200)
    expect(await make(thief)).toBe('INPUT_INVALID')
    expect((await give(await maru.createUser(), codeOf(secret))).code).toBe('FACTOR_NOT_FOUND')
    expect((await maru.call(readCheck, {}, await maru.createUser())).data.factors).toEqual([])
  })
})
