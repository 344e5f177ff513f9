import { useSyncExternalStore, type ReactNode } from 'react'
import { createListeners } from '../listeners.ts'

/** Which icon an alert shows. */
export type AlertTone = 'warning' | 'info' | 'success'

/** One message with one button. A string is shown as text, never as HTML; its line breaks stay. */
export interface AlertOptions {
  /** That a part of the page could not be loaded, unless told. */
  message?: ReactNode
  title?: string | undefined
  /** `warning` unless told. */
  tone?: AlertTone | undefined
  /** The host's `confirm` label unless told. */
  confirmLabel?: string | undefined
}

/** A question answered by yes or no; Esc means no. */
export interface ConfirmOptions {
  message: ReactNode
  title: string
  yesLabel?: string | undefined
  noLabel?: string | undefined
  /** Yes destroys something: it turns red, and the focus starts on no. */
  isDanger?: boolean | undefined
}

type Asked = { kind: 'alert'; options: AlertOptions } | { kind: 'confirm'; options: ConfirmOptions }

/** A dialog that waits in the queue or is being shown. */
type QueuedDialog = Asked & {
  id: number
  answered: Promise<boolean>
  finish: (answer: boolean) => void
}

let queue: readonly QueuedDialog[] = []
let lastId = 0
/** Where the focus goes back to: the first of them that is still there. */
let origins: readonly Element[] = []
const openers = new WeakMap<Element, Element>()
const { subscribe, notify } = createListeners()

function set(next: readonly QueuedDialog[]) {
  queue = next
  notify()
}

/**
 * Tells which element had the focus when a dialog opened, for `Dialog`: one that closes and says something goes back
 * there.
 */
export function rememberOpener(dialog: Element, opener: Element | null): void {
  if (opener !== null) openers.set(dialog, opener)
}

/** An element, what is around it where it is gone, as the button is of what was done, and what opened its dialog. */
function originsOf(focused: Element): Element[] {
  const dialog = focused.closest('[role=dialog]')
  const place = focused.closest('[tabindex="-1"]')
  const opener = dialog === null ? undefined : openers.get(dialog)
  return [focused, ...(place ? [place] : []), ...(opener ? originsOf(opener) : [])]
}

/** Remembers where the focus is before a dialog takes it, for `restoreFocus`. */
export function rememberFocus(): void {
  const focused = document.activeElement
  // A dialog that follows another, as a result after its question, goes back to where the first came from.
  const isNew = focused !== document.body && !focused?.closest('[role=alertdialog], dialog')
  if (queue.length === 0 && isNew) origins = focused ? originsOf(focused) : []
}

function ask(asked: Asked): Promise<boolean> {
  const id = ++lastId
  rememberFocus()
  let resolve: (answer: boolean) => void
  const answered = new Promise<boolean>((settle) => (resolve = settle))
  function finish(answer: boolean) {
    set(queue.filter((entry) => entry.id !== id))
    resolve(answer)
  }
  set([...queue, { ...asked, id, answered, finish }])
  return answered
}

/**
 * Raises dialogs from anywhere, also outside React; `DialogHost` shows them one after the other.
 * Several calls that fail for one reason say so once: an alert equal to a waiting one joins it.
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
    await (same?.answered ?? ask({ kind: 'alert', options }))
  },
  /** A part of the page could not be fetched; the host has the words. */
  notLoaded: (): Promise<void> => dialogs.alert({}),
  confirm: (options: ConfirmOptions): Promise<boolean> => ask({ kind: 'confirm', options }),
}

/** The dialog to show now; for `DialogHost`. */
export function useFirstDialog(): QueuedDialog | undefined {
  return useSyncExternalStore(subscribe, () => queue[0])
}

/** Puts the focus back after the last dialog, where closing it did not; for `DialogHost`. */
export function restoreFocus(): void {
  const target = origins.find(({ isConnected }) => isConnected)
  if (queue.length === 0 && document.activeElement === document.body && target instanceof HTMLElement) {
    target.focus()
  }
}
