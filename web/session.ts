import { useSyncExternalStore } from 'react'
import type { login } from '../contract/account.ts'
import type { OutputOf } from '../contract/endpoint.ts'

/** What the browser keeps of a session (decisions §4): the token, and the login ID that the guard checks. */
const UID = 'session_uid'
const USER_ID = 'session_user_id'
/** There while a temporary password waits to be changed; the server decides, this only shows the way. */
const PASSWORD_CHANGE = 'session_password_change'

const listeners = new Set<() => void>()

/** SESSION_UID of the session, sent with every call. */
export function sessionUid(): string | null {
  return localStorage.getItem(UID)
}

/** The login ID of who is signed in; null sends guarded pages to /login (spec §2). */
export function sessionUserId(): string | null {
  return localStorage.getItem(USER_ID)
}

/** Whether the person has to choose an own password before anything else. */
export function mustChangePassword(): boolean {
  return localStorage.getItem(PASSWORD_CHANGE) === 'Y'
}

/** Keeps what login answered. */
export function startSession(session: OutputOf<typeof login>): void {
  if (session.PASSWORD_CHANGE === 'Y') localStorage.setItem(PASSWORD_CHANGE, 'Y')
  else localStorage.removeItem(PASSWORD_CHANGE)
  localStorage.setItem(UID, session.SESSION_UID)
  localStorage.setItem(USER_ID, session.USER_ID)
  notify()
}

/** Keeps the new session that a password change answers (spec §4). */
export function renewSession(session: { SESSION_UID: string }): void {
  localStorage.setItem(UID, session.SESSION_UID)
  localStorage.removeItem(PASSWORD_CHANGE)
}

/** Keeps the login ID when a person changed the own one. */
export function renameSession(userId: string): void {
  localStorage.setItem(USER_ID, userId)
  notify()
}

/** Forgets the session; telling the server is the caller's business. */
export function endSession(): void {
  localStorage.removeItem(UID)
  localStorage.removeItem(USER_ID)
  localStorage.removeItem(PASSWORD_CHANGE)
  notify()
}

/** Who is signed in; follows login and logout, in other tabs too. */
export function useSessionUserId(): string | null {
  return useSyncExternalStore(subscribe, sessionUserId)
}

/** Calls back when another tab logged in as somebody else or logged out. */
export function onSessionChangedElsewhere(react: (userId: string | null) => void): void {
  let known = sessionUserId()
  subscribe(() => (known = sessionUserId()))
  window.addEventListener('storage', (event) => {
    // key is null when the whole storage was cleared.
    if (event.key !== null && event.key !== USER_ID) return
    const userId = sessionUserId()
    if (userId === known) return
    known = userId
    react(userId)
    notify()
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}
