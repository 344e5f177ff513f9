import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  checkPassword,
  endOtherSessions,
  finishLogin,
  listSessions,
  login,
  logout,
  readLogin,
  removeDevice,
  removeTotp,
  renewRecoveryCodes,
  setPassword,
  TRUST_DAYS,
  TRUSTED_DEVICES_MAX,
} from '../../../contract/account.ts'
import { SESSION_BINDING_HEADER } from '../../../contract/envelope.ts'
import { removeRole } from '../../../contract/roles.ts'
import { getSecurity, updateSecurity } from '../../../contract/settings/security.ts'
import { changeRoles, previewBulk, suspendUser } from '../../../contract/users.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { countWaiting } from '../../../dev/test-kit/locks.ts'
import { type CallOptions, PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { removeFactors, removeOldDevices } from './index.ts'

/* Logins on devices that their users trust, and what a thief of the cookie can do with it. */
const clock = { now: new Date() }
const maru = useMaru({ PORTAL_URL: 'https://portal.maru.kr' }, { clock: () => clock.now })
const { codeOf, gaveFactor, nextCode, passGate, withApp, withPasskey } = factorsOf(maru, clock)
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

type Owner = Awaited<ReturnType<typeof withApp>>
let admin: TestUser
let person: Owner
// Mails stay in the queue.
beforeAll(() => maru.services.jobs.stop())
beforeEach(async () => {
  await sql('update roles set devices_trusted = true')
  admin = await maru.createUser({ role: 'admin' })
  person = await withApp(await maru.createUser())
})

/** A browser with its cookies, as a page of the portal uses it. */
function newBrowser(address = '10.9.8.7') {
  const cookies = new Map<string, string>()
  const options = (): CallOptions => ({
    address,
    headers: {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
      [SESSION_BINDING_HEADER]: 'cookie',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  })
  const keep = <A extends { headers: Record<string, unknown> }>(answer: A): A => {
    for (const line of [answer.headers['set-cookie'] ?? []].flat() as string[]) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return { cookies, options, keep }
}
type Browser = ReturnType<typeof newBrowser>

const enter = async (browser: Browser, { userId }: { userId: string }, password = PASSWORD) =>
  browser.keep(await maru.call(login, { loginId: userId, password }, browser.options()))
/** Logs in by password and app in a browser, and trusts it by default. */
async function enterByApp(
  browser: Browser,
  owner: Owner,
  input: { trustDevice?: boolean } = { trustDevice: true },
) {
  const { raw } = await enter(browser, owner)
  const { ticket } = JSON.parse(raw) as { ticket: string }
  nextCode()
  const given = { ticket, factor: 'TOTP' as const, proof: codeOf(owner.secret), ...input }
  const answer = browser.keep(await maru.call(finishLogin, given, browser.options()))
  expect(answer.status).toBe(200)
  return answer
}
async function trusted(owner: Owner, browser = newBrowser()): Promise<Browser> {
  await enterByApp(browser, owner)
  expect((await enter(browser, owner)).status).toBe(200)
  return browser
}
const isAsked = async (browser: Browser, owner: { userId: string }, password?: string) =>
  (await enter(browser, owner, password)).code === 'SECOND_FACTOR_REQUIRED'
const devicesOf = ({ id }: TestUser) =>
  sql('select * from trusted_devices where user_id = $1 order by id', [id])
/** Returns the name of the cookie of a device, which is set before that of the session. */
const nameOf = ({ cookies }: Browser) => [...cookies.keys()][0] ?? ''
/** The session of a login in this browser, which carries its cookie. */
const inSession = (browser: Browser, session: string): CallOptions => ({ ...browser.options(), session })

/* Events that end the trust, each as its user or an administrator causes it. Returns the new password if there is one. */
const NEW = 'brand-New-2026!'
const confirmOwn = async () => {
  await passGate(person)
  await gaveFactor(person)
}
const ENDS: Record<string, () => Promise<string | void>> = {
  'a new password': async () => {
    await confirmOwn()
    await maru.call(setPassword, { currentPassword: PASSWORD, newPassword: NEW }, person)
    return NEW
  },
  'another passkey': async () => {
    await withPasskey(person)
  },
  'another app': async () => {
    await sql(`delete from recovery_codes where user_id = $1`, [person.id])
    await trustAgain()
    await confirmOwn()
    person = { ...(await withApp(person)) }
  },
  'a removed app': async () => {
    await withPasskey(person)
    await trustAgain()
    await confirmOwn()
    await maru.call(removeTotp, {}, person)
  },
  'new recovery codes': async () => {
    await confirmOwn()
    await maru.call(renewRecoveryCodes, {}, person)
  },
  'a reset of the factors': async () => {
    const { db } = maru.database
    await db.transaction().execute((tx) => removeFactors(tx, person.id))
    person = { ...(await withApp(await again())) }
  },
  'a logout of all devices': async () => {
    await maru.call(logout, { allDevices: true }, person)
  },
  'a logout of the other devices': async () => {
    await confirmOwn()
    await maru.call(endOtherSessions, {}, person)
  },
  'a suspension, also a lifted one': async () => {
    await maru.call(suspendUser, { userId: person.userId, suspendedFor: 'LEAVE', reason: '' }, admin)
    await sql('update users set suspended_at = null, suspended_for = null where id = $1', [person.id])
  },
  'another role': async () => {
    const asked = { userIds: [person.userId], roleCode: 'AUT002' }
    const { version } = (await maru.call(previewBulk, { ...asked, bulkAction: 'role' }, admin)).data
    expect((await maru.call(changeRoles, { ...asked, version }, admin)).status).toBe(200)
  },
}
let ending: Browser
const trustAgain = () => trusted(person, ending)
/** The user in a new session, because a reset has ended all others. */
const again = async () => ({
  ...person,
  session: (await maru.call(login, { loginId: person.userId, password: PASSWORD })).data.sessionUid,
})

describe('a trusted device (rules/account#trusted-devices)', () => {
  test('is asked for no second factor at a login, and its login is recorded', async () => {
    const browser = newBrowser()
    const lines = [(await enterByApp(browser, person)).headers['set-cookie']].flat() as string[]
    const line = lines.find((one) => one.includes(`Max-Age=${TRUST_DAYS * 86_400}`))
    expect(line).toMatch(/^maru_[0-9a-f]{16}=[\w-]{43}; Path=\/api; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    const [row] = await devicesOf(person)
    expect(Buffer.from(row.token_hash)).toHaveLength(32)
    expect(JSON.stringify(row)).not.toContain(/=([^;]+)/.exec(line ?? '')?.[1])
    const { data } = await enter(browser, person)
    expect(data).toMatchObject({ userId: person.userId, mustSetUpFactor: false })
    expect(data.sessionUid).toHaveLength(43)
    const audits = await sql(
      `select action, detail from audit_log where actor_id = $1 and action = 'account.login' order by id desc limit 2`,
      [person.id],
    )
    expect(audits).toEqual([
      { action: 'account.login', detail: { factor: 'DEVICE' } },
      { action: 'account.login', detail: { factor: 'TOTP', trustedDevice: 'Chrome · Linux' } },
    ])
    const mails = await sql(`select text from mails where recipient = $1 order by id desc limit 1`, [
      person.email,
    ])
    expect(JSON.stringify(mails)).toContain('신뢰하는 기기')
  })

  test('replaces no reauthentication', async () => {
    const boss = await withApp(admin)
    const browser = await trusted(boss)
    const { sessionUid } = (await enter(browser, boss)).data
    expect((await maru.callRaw(removeRole.path, {}, inSession(browser, sessionUid))).code).toBe(
      'CONFIRMATION_REQUIRED',
    )
  })

  test('is offered and made only for roles with the setting, which none has by default', async () => {
    expect(
      (
        await sql(
          `select column_default from information_schema.columns where column_name = 'devices_trusted'`,
        )
      )[0],
    ).toEqual({
      column_default: 'false',
    })
    const offered = async () => {
      const browser = newBrowser()
      const { ticket } = JSON.parse((await enter(browser, person)).raw) as { ticket: string }
      return (await maru.call(readLogin, { ticket }, browser.options())).data.mayTrustDevice
    }
    expect(await offered()).toBe(true)
    const browser = await trusted(person)
    await sql(`update roles set devices_trusted = false where code = 'AUT003'`)
    expect(await offered()).toBe(false)
    expect(await isAsked(browser, person)).toBe(true)
    const other = newBrowser()
    await enterByApp(other, person)
    expect(await isAsked(other, person)).toBe(true)
    expect(await devicesOf(person)).toHaveLength(1)
  })

  test('ends after 30 days, and is made only on request', async () => {
    const browser = newBrowser()
    await enterByApp(browser, person, {})
    expect(await isAsked(browser, person)).toBe(true)
    await trusted(person, browser)
    await sql(`update trusted_devices set created_at = now() - interval '30 days' + interval '1 minute'`)
    expect(await isAsked(browser, person)).toBe(false)
    await sql(`update trusted_devices set created_at = now() - interval '30 days'`)
    expect(await isAsked(browser, person)).toBe(true)
    await removeOldDevices(maru.database.pool)
    expect(await devicesOf(person)).toEqual([])
  })

  test('is made by no recovery code, and in no client without the cookies of a page', async () => {
    const browser = newBrowser()
    const { ticket } = JSON.parse((await enter(browser, person)).raw) as { ticket: string }
    const proof = person.codes[0] ?? ''
    const given = { ticket, factor: 'RECOVERY' as const, proof, trustDevice: true }
    expect((await maru.call(finishLogin, given, browser.options())).status).toBe(200)
    const plain = newBrowser()
    const options = plain.options
    plain.options = () => ({ ...options(), headers: { 'user-agent': 'a program' } })
    await enterByApp(plain, person)
    expect(await devicesOf(person)).toEqual([])
  })

  test('opens no account of another user, whatever the name of the cookie', async () => {
    const thief = await withApp(await maru.createUser())
    const browser = await trusted(thief)
    expect(await isAsked(browser, person)).toBe(true)
    // The name of the victim's cookie, with the secret of the thief's.
    const own = await trusted(person)
    const stolen = newBrowser()
    stolen.cookies.set(nameOf(own), browser.cookies.get(nameOf(browser)) ?? '')
    expect(await isAsked(stolen, person)).toBe(true)
    // The stolen cookie alone opens nothing.
    const copy = newBrowser('10.66.66.66')
    for (const [name, value] of own.cookies) copy.cookies.set(name, value)
    expect((await enter(copy, person, 'wrong-Maru-2026!')).code).toBe('LOGIN_FAILED')
    expect(await isAsked(copy, thief)).toBe(true)
  })

  test('may be trusted by two users of one browser, each for themselves', async () => {
    const second = await withApp(await maru.createUser())
    const browser = await trusted(person)
    expect(await isAsked(browser, second)).toBe(true)
    await trusted(second, browser)
    expect(await isAsked(browser, person)).toBe(false)
    await sql('delete from trusted_devices where user_id = $1', [person.id])
    expect(await isAsked(browser, person)).toBe(true)
    expect(await isAsked(browser, second)).toBe(false)
  })

  test.each(Object.keys(ENDS))('ends with %s', async (name) => {
    ending = newBrowser()
    await trustAgain()
    const password = (await ENDS[name]?.()) ?? PASSWORD
    expect(await devicesOf(person)).toEqual([])
    expect(await isAsked(ending, person, password)).toBe(true)
  })

  test('is listed to its user, who removes it', async () => {
    const here = newBrowser()
    const { sessionUid } = (await enterByApp(here, person)).data
    await trusted(person, newBrowser('10.1.1.1'))
    const { trustedDevices } = (await maru.call(listSessions, {}, inSession(here, sessionUid))).data
    expect(trustedDevices).toMatchObject([
      { current: false, address: '10.1.1.1' },
      { current: true, address: '10.9.8.7', device: 'Chrome · Linux' },
    ])
    const deviceId = trustedDevices[1]?.deviceId ?? ''
    const stranger = await withApp(await maru.createUser())
    await passGate(stranger)
    expect((await maru.call(removeDevice, { deviceId }, stranger)).code).toBe('DEVICE_NOT_FOUND')
    const options = inSession(here, sessionUid)
    const remove = async () => (await maru.call(removeDevice, { deviceId }, options)).code ?? 'removed'
    await sql('update sessions set factor_checked_at = null where user_id = $1', [person.id])
    expect(await remove()).toBe('PASSWORD_CHECK_REQUIRED')
    await maru.call(checkPassword, { password: PASSWORD }, options)
    expect(await remove()).toBe('CONFIRMATION_REQUIRED')
    await gaveFactor(person)
    expect(await remove()).toBe('removed')
    expect(await remove()).toBe('DEVICE_NOT_FOUND')
    expect(await isAsked(here, person)).toBe(true)
    expect(
      await sql(`select detail from audit_log where action = 'account.remove-device' and actor_id = $1`, [
        person.id,
      ]),
    ).toEqual([{ detail: { device: 'Chrome · Linux' } }])
  })

  test('ends for good when its role is no longer selected (rules/settings#trusted-devices)', async () => {
    await sql('update roles set devices_trusted = false')
    const select = async (trustRoles: string[]) => {
      const { data } = await maru.call(getSecurity, {}, admin)
      const { roles: _, fixed: __, address: ___, ...kept } = data
      return maru.call(updateSecurity, { ...kept, trustRoles }, admin)
    }
    expect((await select(['AUT003', 'AUT002'])).status).toBe(200)
    expect((await maru.call(getSecurity, {}, admin)).data.trustRoles).toEqual(['AUT002', 'AUT003'])
    const hr = await withApp(await maru.createUser({ role: 'hr' }))
    const [browser, other] = [await trusted(person), await trusted(hr)]
    expect((await select(['AUT002'])).status).toBe(200)
    expect((await select(['AUT003', 'AUT002'])).status).toBe(200)
    expect([await isAsked(browser, person), await isAsked(other, hr)]).toEqual([true, false])
    expect((await select(['AUT777'])).code).toBe('ROLE_NOT_FOUND')
    const audits = await sql(
      `select detail -> 'trustRoles' as roles from audit_log where action = 'setting.update' order by id limit 1`,
    )
    expect(audits).toEqual([{ roles: { before: [], after: ['AUT002', 'AUT003'] } }])
  })

  test('replaces itself, and the oldest beyond ten', async () => {
    const first = await trusted(person)
    const [{ id }] = await devicesOf(person)
    for (let n = 1; n < TRUSTED_DEVICES_MAX; n += 1) await trusted(person)
    expect(await devicesOf(person)).toHaveLength(TRUSTED_DEVICES_MAX)
    await trusted(person)
    const rows = await devicesOf(person)
    expect(rows).toHaveLength(TRUSTED_DEVICES_MAX)
    expect(rows.map((row) => row.id)).not.toContain(id)
    expect(await isAsked(first, person)).toBe(true)
  })

  test('lets a new password succeed that meets a login on it, and asks that login for the factor', async () => {
    const browser = await trusted(person)
    await confirmOwn()
    const holder = await maru.owner.connect()
    await holder.query('begin')
    await holder.query('select from users where id = $1 for update', [person.id])
    const change = maru.call(setPassword, { currentPassword: PASSWORD, newPassword: NEW }, person)
    await expect.poll(() => countWaiting(maru.owner)).toBe(1)
    const entry = enter(browser, person)
    await expect.poll(() => countWaiting(maru.owner)).toBe(2)
    await holder.query('rollback')
    holder.release()
    expect((await change).status).toBe(200)
    expect((await entry).status).toBe(400)
    expect(await devicesOf(person)).toEqual([])
  })
})
