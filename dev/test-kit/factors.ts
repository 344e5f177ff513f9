import { TOTP } from 'otpauth'
import {
  beginPasskey,
  beginTotp,
  checkPassword,
  confirmPasskey,
  confirmTotp,
  type Factor,
  finishLogin,
  login,
  readLogin,
} from '../../contract/account.ts'
import { createAuthenticator } from './authenticator.ts'
import { type CallOptions, PASSWORD, type TestMaru } from './maru.ts'
import type { TestUser } from './people.ts'

/** Returns the code of six digits that an authenticator app with this secret shows at a time. */
export const codeAt = (secret: string, now: Date) =>
  new TOTP({ secret }).generate({ timestamp: now.getTime() })

/** Returns the options of a call from one browser at one address. */
export const browser = (address = '10.9.8.7', agent = 'Chrome 140'): CallOptions => ({
  address,
  headers: { 'user-agent': agent },
})

/** Options of a call from the usual browser. */
const OFFICE = browser()

/**
 * Creates functions for tests of second factors.
 * @param clock clock of the server. A test advances it, because no code is accepted twice
 */
export function factorsOf(maru: TestMaru, clock: { now: Date }) {
  /** Advances the clock by 30 seconds, so that every app shows another code. */
  const nextCode = () => (clock.now = new Date(clock.now.getTime() + 30_000))
  /** Returns the code that an app shows now by the clock. */
  const codeOf = (secret: string) => codeAt(secret, clock.now)
  /** Enters a user's password at the password gate, and returns the response. */
  const passGate = (person: TestUser) => maru.call(checkPassword, { password: PASSWORD }, person)
  /** Sends a user's login ID and password to the login, and returns the response. */
  const enter = (person: TestUser, at = OFFICE) =>
    maru.call(login, { loginId: person.userId, password: PASSWORD }, at)

  /**
   * Marks all sessions of a user as confirmed now by a second factor that was set up 4 days ago. Makes all stored
   * factors of the user at least 4 days old, so that the rules for new ones (FACTOR_HOLD_DAYS) do not apply. Creates no
   * factor.
   */
  const gaveFactor = ({ id }: { id: string }, factor: Factor = 'TOTP') =>
    maru.database.pool.query(
      `with old as (update totp_secrets set created_at = least(created_at, now() - interval '4 days') where user_id = $1),
        older as (update passkeys set created_at = least(created_at, now() - interval '4 days') where user_id = $1)
      update sessions set factor_checked_at = now(), factor_checked_by = $2,
        factor_made_at = case when $2 <> 'RECOVERY' then now() - interval '4 days' end where user_id = $1`,
      [id, factor],
    )

  return {
    nextCode,
    codeOf,
    gaveFactor,
    /** Returns a code that an app does not show now. */
    wrongCodeOf: (secret: string) => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0'),
    passGate,
    enter,
    /**
     * Sets up an authenticator app for a user as if 4 days ago, confirms all sessions by it (`gaveFactor`), and
     * advances to the next code.
     * @returns the user with `secret` and the recovery codes
     */
    withApp: async (person: TestUser) => {
      await passGate(person)
      const { secret, enrolment } = (await maru.call(beginTotp, {}, person)).data
      const { data } = await maru.call(confirmTotp, { enrolment, code: codeOf(secret) }, person)
      nextCode()
      await gaveFactor(person)
      return { ...person, secret, codes: data.recoveryCodes }
    },
    /**
     * Sets up a passkey for a user as if 4 days ago, by default on a new device, and confirms all sessions by it
     * (`gaveFactor`).
     * @returns the user with the device and the recovery codes
     */
    withPasskey: async <P extends TestUser>(
      person: P,
      device = createAuthenticator(maru.services.settings.now().portalUrl),
    ) => {
      await passGate(person)
      const { passkeyOptions } = (await maru.call(beginPasskey, {}, person)).data
      const input = { passkeyName: '내 휴대전화', proof: device.make(passkeyOptions) }
      const { data } = await maru.call(confirmPasskey, input, person)
      await gaveFactor(person, 'PASSKEY')
      return { ...person, device, codes: data.recoveryCodes }
    },
    /** Returns the options that a passkey has to sign for a login ticket; '' if the user has no passkey. */
    optionsOf: async (ticket: string, at = OFFICE) =>
      (await maru.call(readLogin, { ticket }, at)).data.passkeyOptions,
    /** Logs a user in by password, and returns the ticket for the second factor; undefined if the login needs none. */
    ticketOf: async (person: TestUser, at = OFFICE): Promise<string> => {
      const { raw } = await enter(person, at)
      return (JSON.parse(raw) as { ticket: string }).ticket
    },
    /** Sends the proof of a second factor, and returns the response. */
    finish: (ticket: string, proof: string, factor: Factor = 'TOTP', at = OFFICE) =>
      maru.call(finishLogin, { ticket, factor, proof }, at),
  }
}
