import { line, wholeNumber } from '../fields.ts'

/** The longest name of a program or service, in characters. */
export const TOKEN_NAME_LENGTH = 60

/** For how many days a token is good: what the pages offer, what is usual, and the most (rules/keys#token-end). */
export const TOKEN_DAYS = { offered: [30, 90, 180, 365], usual: 180, max: 365 } as const

/** For how many days the token before is good after a rollover, 0 for none (rules/keys#token-rollover). */
export const OVERLAP_DAYS = { offered: [0, 1, 7, 30], usual: 7, max: 30 } as const

/** From how many days before its end on a token is shown as ending soon. */
export const TOKEN_ENDS_SOON_DAYS = 14

/** How many days before its end it is told (rules/keys#token-end-told). */
export const TOKEN_END_TOLD_DAYS = [14, 7] as const

/** What a token is to whoever looks at the list. */
export const TOKEN_STATES = ['live', 'soon', 'expired', 'revoked', 'account'] as const

/** Fields of the calls that make a token or roll one over. */
export const tokenName = line(TOKEN_NAME_LENGTH)
export const validDays = wholeNumber(1, TOKEN_DAYS.max, TOKEN_DAYS.usual)
export const overlapDays = wholeNumber(0, OVERLAP_DAYS.max, OVERLAP_DAYS.usual)
