import { line, wholeNumber } from '../fields.ts'

/** The longest name of a program or service, in characters. */
export const TOKEN_NAME_LENGTH = 60

/** Days for which a token is valid: the choices of the pages, the default, and the maximum (rules/keys#token-end). */
export const TOKEN_DAYS = { offered: [30, 90, 180, 365], usual: 180, max: 365 } as const

/** Days for which the previous token stays valid after a rotation; 0 for none (rules/keys#token-rollover). */
export const OVERLAP_DAYS = { offered: [0, 1, 7, 30], usual: 7, max: 30 } as const

/** Days before its expiry from which a token is shown as expiring soon. */
export const TOKEN_ENDS_SOON_DAYS = 14

/**
 * Days before a token's expiry on which its owner is notified; for a service or program account, those who manage
 * services (rules/keys#token-end-told).
 */
export const TOKEN_END_TOLD_DAYS = [14, 7] as const

/**
 * The states of a token in a list. `live`: valid. `soon`: valid, with an end within `TOKEN_ENDS_SOON_DAYS`.
 * `account`: ended with the account of its user, or when another user set the password.
 */
export const TOKEN_STATES = ['live', 'soon', 'expired', 'revoked', 'account'] as const

/** The schema of the name of a new program or service token. */
export const tokenName = line(TOKEN_NAME_LENGTH)
/** Schema of the days for which a new token is valid. */
export const validDays = wholeNumber(1, TOKEN_DAYS.max, TOKEN_DAYS.usual)
/** Schema of the days for which the previous token stays valid after a rotation; 0 for none. */
export const overlapDays = wholeNumber(0, OVERLAP_DAYS.max, OVERLAP_DAYS.usual)
