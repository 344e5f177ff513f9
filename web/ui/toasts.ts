import { useSyncExternalStore } from 'react'
import { createListeners } from '../listeners.ts'

/** A completed action, for a toast. */
export interface Success {
  message: string
  /** Undoes the action; missing if it cannot be undone. */
  undo?: (() => void) | undefined
}

/** A short message about a completed action. */
export interface Toast extends Success {
  id: number
}

/** Current toasts, oldest first. */
let toasts: readonly Toast[] = []
/** ID of the latest toast. */
let lastId = 0
const { subscribe, notify } = createListeners()

/** Replaces the toasts and renders them again. */
function set(next: readonly Toast[]): void {
  toasts = next
  notify()
}

/**
 * Shows a message about a completed action (rules/frame#toasts) for 6 seconds, with an undo for 20. At most 3 are
 * shown: a new one replaces the oldest. Never show an error only here.
 * @param success the message alone, or with an undo, for which the toast shows a button
 */
export function showToast(success: string | Success): void {
  const shown = typeof success === 'string' ? { message: success } : success
  set([...toasts.slice(-2), { ...shown, id: ++lastId }])
}

/** Removes all toasts. */
export function clearToasts(): void {
  set([])
}

/** Removes a toast. */
export function dropToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id))
}

/** Returns the current toasts, oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}
