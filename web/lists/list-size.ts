import * as z from 'zod/mini'
import { readStorage } from '../read-storage.ts'
import { sessionUserId } from '../session.ts'

/** Returns the storage key of the rows per page, which each user chooses per list. */
const keyOf = (list: string) => `rows_${list}_${sessionUserId() ?? ''}`

/**
 * Returns the choices of rows per page: the default of the list (`usual`), and 20, 50 and 100 (rules/lists#page-size).
 */
export const sizesOf = (usual: number): number[] => [...new Set([usual, 20, 50, 100])]

/**
 * Returns the rows per page that the user chose for a list.
 * @returns undefined for the default, and for a number that is no longer a choice
 */
export function storedSize(list: string, usual: number): number | undefined {
  const stored = readStorage(localStorage, keyOf(list), z.number())
  return stored !== usual && stored !== undefined && sizesOf(usual).includes(stored) ? stored : undefined
}

/** Stores the rows per page that the user chose; for the default deletes the choice. */
export function storeSize(list: string, usual: number, size: number): void {
  if (size === usual) localStorage.removeItem(keyOf(list))
  else localStorage.setItem(keyOf(list), JSON.stringify(size))
}
