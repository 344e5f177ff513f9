import { Secret, TOTP } from 'otpauth'

/** What every authenticator app knows; other values some of them ignore without a word. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** How many steps the clock of a phone may be off, either way (rules/account#authenticator-app). */
const DRIFT = 1

/** 160 random bits in base32, as RFC 4226 wants them. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What an app scans: `otpauth://totp/…`. */
export function otpauthOf(secret: string, names: { issuer: string; label: string }): string {
  return new TOTP({ ...PARAMETERS, ...names, secret }).toString()
}

/**
 * The time step that a code belongs to (RFC 6238), among those that count now.
 * @returns null when it belongs to none
 */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const drift = new TOTP({ ...PARAMETERS, secret }).validate({ token: code, timestamp, window: DRIFT })
  return drift === null ? null : Math.floor(timestamp / 1000 / PARAMETERS.period) + drift
}
