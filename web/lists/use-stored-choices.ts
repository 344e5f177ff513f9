import { useState } from 'react'
import type * as z from 'zod/mini'
import { readStorage } from '../read-storage.ts'
import { showToast } from '../ui/toasts.ts'

/** Choices of the user by the key of their column. */
type Choices<Value> = Readonly<Record<string, Value>>

/**
 * Returns what the user has chosen per column of a list, such as widths, and functions to change it and to reset
 * it. This browser stores the choices. A stored value that does not fit the schema counts as none.
 * @param key storage key; undefined to store nothing
 * @param resetText toast after a reset, which offers to undo it
 */
export function useStoredChoices<Value>(
  key: string | undefined,
  schema: z.ZodMiniType<Choices<Value>>,
  resetText: string,
) {
  const [choices, setChoices] = useState<Choices<Value>>(
    () => (key !== undefined && readStorage(localStorage, key, schema)) || {},
  )
  function change(next: Choices<Value>): void {
    setChoices(next)
    if (key === undefined) return
    if (Object.keys(next).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  }
  function reset(): void {
    if (Object.keys(choices).length === 0) return
    change({})
    showToast({ message: resetText, undo: () => change(choices) })
  }
  return { choices, change, reset }
}
