import type { KeyboardEvent } from 'react'

/**
 * Moves the focus from one of these elements to another when its key is pressed.
 * @param steps how far each key goes; Infinity is to the end
 * @param isRound the first comes after the last
 */
export function walk(
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
