import { messages } from '../language.tsx'
import { createListeners } from '../listeners.ts'
import { endSession, holdSession, sessionUserId } from '../session.ts'
import { isAnythingTyped } from '../typed.ts'
import type { CallError } from './call-error.ts'

type Next = '/' | '/main' | '/login' | '/password' | '/second-factor'

/** What the shared handling needs of the page; `main.tsx` connects it to the dialogs and the router. */
interface Surroundings {
  /** Shows a plain text with a warning icon and a green 확인; resolves when it is confirmed. */
  alert: (text: string) => Promise<void>
  /**
   * Goes to a page; does nothing when the person is there already, so that no page reloads for ever.
   * @param from whose page it leaves for the login, which leads them back
   */
  goTo: (path: Next, from: string | null) => Promise<void>
}

const beforeLeaving = createListeners()

/** Calls back before a failure of the server leads away from what was typed, which is kept then. */
export const onServerFailure = beforeLeaving.subscribe

let surroundings: Surroundings | undefined
let isTelling = false
let isLeading = false

/** Connects the shared handling to dialogs and router, once at start. */
export function connectSharedHandling(to: Surroundings): void {
  surroundings = to
}

/**
 * The shared handling of failures (rules/frame#session-failure, rules/frame#permission-failure,
 * rules/frame#server-failure): 500 and above, 401 and 403 are told in an alert that leads to a page; that no answer came
 * is told and leads nowhere. Whatever else fails while one alert is open adds no second one. Over something typed a 401
 * asks to sign in again instead (rules/frame#signing-in-again).
 */
export function handleShared(error: CallError): void {
  const plan = planFor(error)
  if (plan === undefined) return
  error.isHandled = true
  if (error.status === 401) {
    if (sessionUserId() !== null && isAnythingTyped()) holdSession()
    else tellSessionOver(plan.text)
    return
  }
  if (error.status >= 500) beforeLeaving.notify()
  void tell(plan, sessionUserId())
}

/** Whether a failure is leading to another page right now: nobody is asked on the way. */
export function isLeadingAway(): boolean {
  return isLeading
}

/** Says that the person may not open a page, and leads to / (rules/frame#function-pages). */
export function tellDenied(): void {
  void tell({ text: messages().frame.noPermission, next: '/' }, null)
}

/** Forgets a session that is over, says so and leads to /login (rules/frame#session-failure). */
export function tellSessionOver(why = messages().failures.SESSION_REQUIRED): void {
  const from = sessionUserId()
  endSession(true)
  void tell({ text: why, next: '/login' }, from)
}

interface Plan {
  text: string | undefined
  next: Next | undefined
}

function planFor(error: CallError): Plan | undefined {
  const { failures } = messages()
  if (error.status === 0) return { text: error.msg, next: undefined }
  if (error.status >= 500) return { text: failures.UNEXPECTED, next: '/main' }
  if (error.status === 401) {
    // Where it ended for a reason, the server says which.
    const text = error.code === 'SESSION_REQUIRED' ? failures.SESSION_REQUIRED : error.msg
    return { text, next: '/login' }
  }
  if (error.code === 'PASSWORD_CHANGE_REQUIRED') return { text: undefined, next: '/password' }
  if (error.code === 'FACTOR_SETUP_REQUIRED') return { text: undefined, next: '/second-factor' }
  if (error.status === 403) return { text: failures.FORBIDDEN, next: '/main' }
  return undefined
}

async function tell({ text, next }: Plan, from: string | null): Promise<void> {
  if (isTelling || surroundings === undefined) return
  const { alert, goTo } = surroundings
  isTelling = true
  try {
    if (text !== undefined) await alert(text)
    isLeading = true
    if (next !== undefined) await goTo(next, from)
  } finally {
    isTelling = false
    isLeading = false
  }
}
