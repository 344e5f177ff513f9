/* The login ID that a person has this browser remember (rules/account#id-remembered); nothing else of them. */

const KEY = 'login_id'

/** The ID to begin with; '' for none. */
export const rememberedId = (): string => localStorage.getItem(KEY) ?? ''

/** Keeps the ID of who has just logged in. */
export const rememberId = (userId: string): void => localStorage.setItem(KEY, userId)

/** The person does not want it any more. */
export const forgetId = (): void => localStorage.removeItem(KEY)
