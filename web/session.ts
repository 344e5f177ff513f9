import { useSyncExternalStore } from 'react'
import type { login } from '../contract/account/session.ts'
import type { OutputOf } from '../contract/endpoint.ts'
import type { FunctionName } from '../contract/permissions.ts'
import { forgetDrafts } from './forget-drafts.ts'
import { createListeners } from './listeners.ts'
import { isAnythingTyped, isAnythingUnsaved } from './typed.ts'

/**
 * What the browser keeps of a session (rules/account#browser-memory): the token, and the login ID that the guard
 * checks.
 */
const UID = 'session_uid'
const USER_ID = 'session_user_id'
/** There while a temporary password waits to be changed; the server decides, this only shows the way. */
const PASSWORD_CHANGE = 'session_password_change'
/** There while a second factor has to be set up; the server decides, this only shows the way. */
const FACTOR_SET_UP = 'session_factor_set_up'
/** The functions of the person's role as they were last known. */
const FUNCTIONS = 'session_functions'

/** When it ends, as the tabs know it (frame/session-limits.ts). */
export const SESSION_LIMITS = 'session_limits'
/** Whose session ended by itself: a page of theirs that holds something typed waits for them. */
const OVER = 'session_over'

/**
 * Whose session has ended while this page holds something that they typed: the page stays theirs until they are back
 * (rules/frame#signing-in-again).
 */
let held: string | null = null
/** Whether it ended with a logout in another tab: the browser's storage must hold nothing of this user. */
let isLoggedOut = false

const { subscribe, notify } = createListeners()
const person = createListeners()
const holding = createListeners()
const resumed = createListeners()

/** sessionUid of the session, sent with every call. */
export function sessionUid(): string | null {
  return localStorage.getItem(UID)
}

/** The login ID of who is signed in; null sends guarded pages to /login (rules/frame#login-guard). */
export function sessionUserId(): string | null {
  return held ?? localStorage.getItem(USER_ID)
}

/** Whether the page waits for its person to sign in again. */
export function isSessionHeld(): boolean {
  return held !== null
}

/** Returns whether the page waits for its user because of a logout in another tab (rules/account#logout-elsewhere). */
export function isLoggedOutElsewhere(): boolean {
  return held !== null && isLoggedOut
}

/** Calls back when the user of this page has logged in again, here or in another tab. */
export const onSessionResumed = resumed.subscribe

/** Calls back when the page begins to wait for its person, and when another tab ended that. */
export const onSessionHeld = holding.subscribe

/** Whether the person has to choose an own password before anything else. */
export function mustChangePassword(): boolean {
  return localStorage.getItem(PASSWORD_CHANGE) === 'Y'
}

/** Whether the person has to set up a second factor before anything else. */
export function mustSetUpFactor(): boolean {
  return localStorage.getItem(FACTOR_SET_UP) === 'Y'
}

/** There is a second factor now, or none is needed any more. */
export function factorIsSetUp(): void {
  localStorage.removeItem(FACTOR_SET_UP)
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
  keep(session)
  notify()
}

/** The person of this page has signed in again over it: whatever it keeps of them stays. */
export function resumeSession(session: OutputOf<typeof login>): void {
  keep(session)
  resumed.notify()
}

function keep(session: OutputOf<typeof login>): void {
  held = null
  for (const key of [OVER, SESSION_LIMITS, PASSWORD_CHANGE, FACTOR_SET_UP]) localStorage.removeItem(key)
  if (session.mustChangePassword) localStorage.setItem(PASSWORD_CHANGE, 'Y')
  if (session.mustSetUpFactor) localStorage.setItem(FACTOR_SET_UP, 'Y')
  localStorage.setItem(UID, session.sessionUid)
  // The last: other tabs follow it.
  localStorage.setItem(USER_ID, session.userId)
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

/**
 * Forgets the session, and with it the person; telling the server is the caller's business.
 * @param isOver it ended by itself
 */
export function endSession(isOver = false): void {
  if (sessionUid() === null && sessionUserId() === null) return
  forgetSession(isOver)
  held = null
  forgetPerson()
  notify()
}

/** Forgets a session that ended by itself, but not the person, who is asked to sign in again over what they typed. */
export function holdSession(): void {
  const userId = sessionUserId()
  if (held !== null || userId === null) return
  forgetSession(true)
  held = userId
  isLoggedOut = false
  holding.notify()
}

function forgetSession(isOver: boolean): void {
  const userId = localStorage.getItem(USER_ID)
  if (isOver && userId !== null) localStorage.setItem(OVER, userId)
  else localStorage.removeItem(OVER)
  for (const key of [SESSION_LIMITS, PASSWORD_CHANGE, FACTOR_SET_UP, UID, USER_ID])
    localStorage.removeItem(key)
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
export function onSessionChangedElsewhere(
  leave: (userId: string | null, before: string | null) => Promise<void>,
): void {
  let known = sessionUserId()
  subscribe(() => (known = sessionUserId()))
  window.addEventListener('storage', (event) => {
    // key is null when the whole storage was cleared.
    if (event.key !== null && event.key !== USER_ID) return
    const userId = localStorage.getItem(USER_ID)
    if (userId === known) {
      held = null
      resumed.notify()
      return holding.notify()
    }
    const isOver = localStorage.getItem(OVER) === known
    if (userId === null && (isOver ? isAnythingTyped() : isAnythingUnsaved())) {
      held = known
      isLoggedOut = !isOver
      // A draft may have been stored here since the other tab deleted them.
      if (isLoggedOut) forgetDrafts()
      return holding.notify()
    }
    const before = isOver ? known : null
    known = userId
    held = null
    holding.notify()
    forgetPerson()
    void leave(userId, before).finally(notify)
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
