import { useSyncExternalStore, type ReactNode } from 'react'
import { createListeners } from '../listeners.ts'

/** The tone of an alert, which selects its icon. */
export type AlertTone = 'warning' | 'info' | 'success'

/** Options of an alert, a message with one button. A string is shown as text with its line breaks, never as HTML. */
export interface AlertOptions {
  /** By default it says that a part of the page could not be loaded. */
  message?: ReactNode
  title?: string | undefined
  /** `warning` by default. */
  tone?: AlertTone | undefined
  /** The host's `confirm` label by default. */
  confirmLabel?: string | undefined
}

/** Options of a yes-or-no question; Esc means no. */
export interface ConfirmOptions {
  message: ReactNode
  title: string
  yesLabel?: string | undefined
  noLabel?: string | undefined
  /** True if yes destroys data. The button is red and the focus starts on no. */
  isDanger?: boolean | undefined
  /** Called on yes. False keeps the question open, such as for a missing reason. */
  mayConfirm?: (() => boolean) | undefined
}

/** A dialog that a caller opens. */
type DialogRequest = { kind: 'alert'; options: AlertOptions } | { kind: 'confirm'; options: ConfirmOptions }

/** A dialog that is queued or shown. */
type QueuedDialog = DialogRequest & {
  id: number
  /** Resolves when the user closes the dialog: true for yes or an alert, false for no. */
  answered: Promise<boolean>
  /** Removes the dialog from the queue and resolves `answered`. */
  finish: (answer: boolean) => void
}

/** Dialogs in the order of their requests; the first is shown. */
let queue: readonly QueuedDialog[] = []
/** ID of the latest dialog. */
let lastId = 0
/** Candidates for restoring the focus: the first element that still exists receives it. */
let origins: readonly Element[] = []
/** Element that had the focus when a dialog opened, by dialog. */
const openers = new WeakMap<Element, Element>()
const { subscribe, notify } = createListeners()

/** Replaces the queue and renders the host again. */
function set(next: readonly QueuedDialog[]) {
  queue = next
  notify()
}

/** Records which element had the focus when a dialog opened, so that `Dialog` can restore it after a result message. */
export function rememberOpener(dialog: Element, opener: Element | null): void {
  if (opener !== null) openers.set(dialog, opener)
}

/**
 * Returns the elements to which the focus may return: an element, its container (in case the action removes the
 * element), and the opener of its dialog.
 */
function originsOf(focused: Element): Element[] {
  const dialog = focused.closest('[role=dialog]')
  const place = focused.closest('[tabindex="-1"]')
  const opener = dialog === null ? undefined : openers.get(dialog)
  return [focused, ...(place ? [place] : []), ...(opener ? originsOf(opener) : [])]
}

/**
 * Records the focus before a dialog takes it, for `restoreFocus`. A dialog that follows another one keeps the focus
 * that was recorded before the first.
 */
export function rememberFocus(): void {
  const focused = document.activeElement
  // A follow-up dialog, such as a result after its question, restores the focus of the first one.
  const isNew = focused !== document.body && !focused?.closest('[role=alertdialog], dialog')
  if (queue.length === 0 && isNew) origins = focused ? originsOf(focused) : []
}

/** Queues a dialog and resolves to the user's answer. */
function enqueue(request: DialogRequest): Promise<boolean> {
  const id = ++lastId
  rememberFocus()
  let resolve: (answer: boolean) => void
  const answered = new Promise<boolean>((settle) => (resolve = settle))
  function finish(answer: boolean) {
    set(queue.filter((entry) => entry.id !== id))
    resolve(answer)
  }
  set([...queue, { ...request, id, answered, finish }])
  return answered
}

/**
 * Opens dialogs from any code, also outside React. `DialogHost` shows them one at a time. `alert` resolves when the
 * user closes it; an alert equal to a queued one is merged with it, so that several calls that fail for one reason show
 * one. `confirm` resolves to true for yes and to false for no or Esc.
 */
export const dialogs = {
  alert: async (options: AlertOptions): Promise<void> => {
    const same = queue.find(
      ({ kind, options: waiting }) =>
        kind === 'alert' &&
        (options.message === undefined || typeof options.message === 'string') &&
        waiting.message === options.message &&
        waiting.title === options.title,
    )
    await (same?.answered ?? enqueue({ kind: 'alert', options }))
  },
  /** Reports that a part of the page could not be loaded. The host has the text. */
  notLoaded: (): Promise<void> => dialogs.alert({}),
  confirm: (options: ConfirmOptions): Promise<boolean> => enqueue({ kind: 'confirm', options }),
}

/** Returns the dialog to show now, for `DialogHost`. */
export function useFirstDialog(): QueuedDialog | undefined {
  return useSyncExternalStore(subscribe, () => queue[0])
}

/**
 * Returns the focus to the first origin that still exists, if no dialog is queued and nothing has the focus. Call it
 * a little after a dialog has closed.
 */
export function restoreFocus(): void {
  const target = origins.find(({ isConnected }) => isConnected)
  if (queue.length === 0 && document.activeElement === document.body && target instanceof HTMLElement) {
    target.focus()
  }
}
