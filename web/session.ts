import { useSyncExternalStore } from 'react'
import type { login } from '../contract/account.ts'
import type { OutputOf } from '../contract/endpoint.ts'
import type { FunctionName } from '../contract/permissions.ts'
import { forgetDrafts } from './drafts.ts'
import { createListeners } from './listeners.ts'

/**
 * What the browser keeps of a session (rules/account#browser-memory): the token, and the login ID that the guard
 * checks.
 */
const UID = 'session_uid'
const USER_ID = 'session_user_id'
/** There while a temporary password waits to be changed; the server decides, this only shows the way. */
const PASSWORD_CHANGE = 'session_password_change'
/** The functions of the person's role as they were last known. */
const FUNCTIONS = 'session_functions'

const { subscribe, notify } = createListeners()
const person = createListeners()

/** sessionUid of the session, sent with every call. */
export function sessionUid(): string | null {
  return localStorage.getItem(UID)
}

/** The login ID of who is signed in; null sends guarded pages to /login (rules/frame#login-guard). */
export function sessionUserId(): string | null {
  return localStorage.getItem(USER_ID)
}

/** Whether the person has to choose an own password before anything else. */
export function mustChangePassword(): boolean {
  return localStorage.getItem(PASSWORD_CHANGE) === 'Y'
}

/** Keeps the functions that the server says the person has, for `isKnownToHold`. */
export function rememberFunctions(functions: readonly FunctionName[]): void {
  localStorage.setItem(FUNCTIONS, functions.join(' '))
}

/** Whether the person was last known to have the function. Only the server decides; this saves waiting for it. */
export function isKnownToHold(name: FunctionName): boolean {
  return localStorage.getItem(FUNCTIONS)?.split(' ').includes(name) ?? false
}

/** Keeps what login answered. */
export function startSession(session: OutputOf<typeof login>): void {
  forgetPerson()
  forgetDrafts({ except: session.userId })
  if (session.mustChangePassword) localStorage.setItem(PASSWORD_CHANGE, 'Y')
  else localStorage.removeItem(PASSWORD_CHANGE)
  localStorage.setItem(UID, session.sessionUid)
  localStorage.setItem(USER_ID, session.userId)
  notify()
}

/** Keeps the new session that a password change answers (rules/account#password-change). */
export function renewSession(session: { sessionUid: string }): void {
  localStorage.setItem(UID, session.sessionUid)
  localStorage.removeItem(PASSWORD_CHANGE)
}

/** Keeps the login ID when a person changed it. */
export function renameSession(userId: string): void {
  localStorage.setItem(USER_ID, userId)
  notify()
}

/** Forgets the session, and with it the person; telling the server is the caller's business. */
export function endSession(): void {
  if (sessionUid() === null && sessionUserId() === null) return
  localStorage.removeItem(UID)
  localStorage.removeItem(USER_ID)
  localStorage.removeItem(PASSWORD_CHANGE)
  forgetPerson()
  notify()
}

/**
 * Calls back whenever a session begins or ends, here or in another tab: whatever the page keeps of the person
 * before must not be shown to the one after.
 */
export const onPersonChange = person.subscribe

/** Who is signed in; follows login and logout, in other tabs too. */
export function useSessionUserId(): string | null {
  return useSyncExternalStore(subscribe, sessionUserId)
}

/**
 * Calls back when another tab logged in as somebody else or logged out.
 * @param leave goes to a page of the one who is signed in now. Nothing on the screen is drawn anew before: it would
 *   ask the server for what the person before was looking at
 */
export function onSessionChangedElsewhere(leave: (userId: string | null) => Promise<void>): void {
  let known = sessionUserId()
  subscribe(() => (known = sessionUserId()))
  window.addEventListener('storage', (event) => {
    // key is null when the whole storage was cleared.
    if (event.key !== null && event.key !== USER_ID) return
    const userId = sessionUserId()
    if (userId === known) return
    known = userId
    forgetPerson()
    void leave(userId).finally(notify)
  })
  // A page that the browser kept and brings back (the back button after a full navigation) has heard of nothing
  // meanwhile, and still shows the person that it knew.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || sessionUserId() === known) return
    document.body.hidden = true
    location.reload()
  })
}

function forgetPerson(): void {
  localStorage.removeItem(FUNCTIONS)
  person.notify()
}
