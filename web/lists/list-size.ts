import * as z from 'zod/mini'
import { readKept } from '../kept.ts'
import { sessionUserId } from '../session.ts'

/** Where a person's choice of rows a page is kept: for each list its own, for everybody at this browser theirs. */
const keyOf = (list: string) => `rows_${list}_${sessionUserId() ?? ''}`

/** How many rows a page may have: the list's own number, with which it begins, and three more (rules/lists#page-size). */
export const sizesOf = (usual: number): number[] => [...new Set([usual, 20, 50, 100])]

/** The rows a page that the person chose for a list; undefined for its own number. */
export function keptSize(list: string, usual: number): number | undefined {
  const kept = readKept(localStorage, keyOf(list), z.number())
  return kept !== usual && kept !== undefined && sizesOf(usual).includes(kept) ? kept : undefined
}

/** Keeps what the person chose. */
export function keepSize(list: string, usual: number, size: number): void {
  if (size === usual) localStorage.removeItem(keyOf(list))
  else localStorage.setItem(keyOf(list), JSON.stringify(size))
}
