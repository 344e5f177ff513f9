import { useSyncExternalStore } from 'react'
import { createListeners } from '../listeners.ts'

/** Something that was done, said in passing. */
export interface Toast {
  id: number
  message: string
  /** Takes it back; without it there is nothing to take back. */
  undo?: (() => void) | undefined
}

let toasts: readonly Toast[] = []
let lastId = 0
const { subscribe, notify } = createListeners()

function set(next: readonly Toast[]): void {
  toasts = next
  notify()
}

/**
 * Says from anywhere what was done, beside the page; never the only place of an error. The late part of the frame shows
 * it (rules/frame#toasts).
 * @param undo offered as long as it is shown
 */
export function showToast(message: string, undo?: () => void): void {
  set([...toasts.slice(-2), { id: ++lastId, message, undo }])
}

/** Takes one away. */
export function dropToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id))
}

/** Those that are shown, the oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}
