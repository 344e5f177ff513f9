import type { KeyboardEvent } from 'react'

/**
 * Moves the focus from the event's element to another one of the list, and prevents the key's default action. Does
 * nothing for other keys, or if the event's element is not in the list.
 * @param steps number of elements by which each key moves; Infinity moves to the end, without `isRound` only
 * @param isRound true to continue with the first element after the last, and with the last before the first
 */
export function moveFocus(
  event: KeyboardEvent,
  elements: Iterable<HTMLElement>,
  steps: Record<string, number>,
  isRound = false,
): void {
  const list = [...elements]
  const at = list.findIndex((element) => element === event.target)
  const step = steps[event.key]
  if (at < 0 || step === undefined) return
  event.preventDefault()
  const to = isRound
    ? (at + step + list.length) % list.length
    : Math.min(Math.max(at + step, 0), list.length - 1)
  list[to]?.focus()
}
