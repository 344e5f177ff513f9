import type { ReturnTo } from './routes/return-to.ts'

/**
 * Purpose of a login at an identity provider: a login to the portal, linking the own account (`link`), a test of the
 * provider by an administrator (`try`) or a reauthentication (`confirm`).
 */
export type SsoPurpose = 'login' | 'link' | 'try' | 'confirm'

/**
 * A login at an identity provider that this tab has begun (rules/sso#login), stored until the provider sends the
 * user back.
 */
export interface BegunSso {
  purpose: SsoPurpose
  /** The provider of a login. */
  providerId?: string
  /** Random value that only this tab has. The server accepts the response of the provider only with it. */
  binding: string
  /** The page that the login returns to. */
  next?: ReturnTo | undefined
}

/** Key in sessionStorage of the login that this tab has begun. */
const KEY = 'sso'

/**
 * Begins a login at an identity provider: generates its `binding`, gets the URL of the provider, stores the login
 * in this tab, and opens that URL in place of the portal. If `begin` fails, throws its error and stays.
 * @param begun the login without its binding
 * @param begin asks the server for the URL of the provider
 */
export async function leaveForProvider(
  begun: Omit<BegunSso, 'binding'>,
  begin: (binding: string) => Promise<{ loginUrl: string }>,
): Promise<void> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const binding = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  const { loginUrl } = await begin(binding)
  sessionStorage.setItem(KEY, JSON.stringify({ ...begun, binding } satisfies BegunSso))
  location.assign(loginUrl)
}

/** Key in localStorage of the time at which the user asked to reauthenticate at a provider. */
const ASKED_KEY = 'sso_asked'

/** Milliseconds after the request within which a tab may begin the reauthentication. */
const ASKED_MS = 60_000

/**
 * Stores the time at which the user asked to reauthenticate at a provider, for all tabs. The tab that opens for it
 * reads and deletes it (`takeConfirmationRequest`).
 */
export const noteConfirmationRequest = (): void => localStorage.setItem(ASKED_KEY, String(Date.now()))

/**
 * Returns whether the user asked to reauthenticate in the last minute, in any tab, and deletes the request.
 * Without one the caller must not begin a reauthentication: a link on another site could have opened the page.
 */
export function takeConfirmationRequest(): boolean {
  const askedAt = Number(localStorage.getItem(ASKED_KEY))
  localStorage.removeItem(ASKED_KEY)
  return askedAt > Date.now() - ASKED_MS
}

/**
 * Key in localStorage of the time of the last reauthentication at a provider, for the tab that waits for it
 * (rules/sso#reauthentication).
 */
const CONFIRMED_KEY = 'sso_confirmed'

/** Notifies the other tabs (`onConfirmation`) that the user has reauthenticated at a provider. */
export const reportConfirmation = (): void => localStorage.setItem(CONFIRMED_KEY, String(Date.now()))

/**
 * Registers a function that is called after each reauthentication in another tab. Returns a function that unregisters
 * it.
 */
export function onConfirmation(react: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === CONFIRMED_KEY && newValue !== null) react()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Key in sessionStorage of the ticket with which a sign-up in this tab is linked (rules/sso#first-login). */
const TICKET_KEY = 'sso-first-login'

/**
 * Ticket that links a sign-up with its login at a provider. `approves` is true if the provider lets the new user
 * log in without approval.
 */
interface KeptTicket {
  ticket: string
  approves: boolean
}

/** Stores in this tab the ticket of a user whom a provider confirmed and who has no account yet, for the sign-up. */
export const keepSsoTicket = (kept: KeptTicket): void =>
  sessionStorage.setItem(TICKET_KEY, JSON.stringify(kept))

/** Returns the ticket of the sign-up in this tab; undefined without one. */
export function readSsoTicket(): KeptTicket | undefined {
  const kept = sessionStorage.getItem(TICKET_KEY)
  return kept === null ? undefined : (JSON.parse(kept) as KeptTicket)
}

/** Deletes the ticket of the sign-up, which is used up or has expired. */
export const deleteSsoTicket = (): void => sessionStorage.removeItem(TICKET_KEY)

/** Returns the login that this tab has begun, and deletes it. @returns undefined if it has begun none */
export function takeBegunSso(): BegunSso | undefined {
  const kept = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return kept === null ? undefined : (JSON.parse(kept) as BegunSso)
}
