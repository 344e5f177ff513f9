import { Secret, TOTP } from 'otpauth'

/** Parameters that every authenticator app supports. Some apps silently ignore other values. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Time steps that the clock of a phone may be off in either direction (rules/account#authenticator-app). */
const DRIFT = 1

/** Returns 160 random bits in base32, as RFC 4226 requires. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** Returns the URL in the QR code that an app scans: `otpauth://totp/…`. */
export function otpauthOf(secret: string, names: { issuer: string; label: string }): string {
  return new TOTP({ ...PARAMETERS, ...names, secret }).toString()
}

/**
 * Returns the time step of a code (RFC 6238), if the code is valid now.
 * @returns null if it is not valid
 */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const drift = new TOTP({ ...PARAMETERS, secret }).validate({ token: code, timestamp, window: DRIFT })
  return drift === null ? null : Math.floor(timestamp / 1000 / PARAMETERS.period) + drift
}
