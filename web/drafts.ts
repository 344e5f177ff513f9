import type * as z from 'zod/mini'
import { readKept } from './kept.ts'

/**
 * Unfinished texts in local storage, by person and by what they are about. The next person at this browser must not
 * find them: a login as somebody else and a logout forget them; a session that ran out keeps them for its person.
 */
const PREFIX = 'draft:'

function keyOf(userId: string, about: string): string {
  return `${PREFIX}${userId}:${about}`
}

/** @returns whether the browser had room for it */
export function keepDraft(userId: string, about: string, draft: unknown): boolean {
  try {
    localStorage.setItem(keyOf(userId, about), JSON.stringify(draft))
    return true
  } catch {
    // Full, or forbidden by the browser's settings: the caller says nothing of a draft then.
    return false
  }
}

/** What was kept; undefined for nothing, or nothing of this form. */
export function findDraft<T>(userId: string, about: string, form: z.ZodMiniType<T>): T | undefined {
  return readKept(localStorage, keyOf(userId, about), form)
}

/** Saved, or discarded. */
export function forgetDraft(userId: string, about: string): void {
  localStorage.removeItem(keyOf(userId, about))
}

/** Forgets every draft, but for those of `userId`. */
export function forgetDrafts(options: { except?: string } = {}): void {
  for (const key of Object.keys(localStorage)) {
    const isKept = options.except !== undefined && key.startsWith(keyOf(options.except, ''))
    if (key.startsWith(PREFIX) && !isKept) localStorage.removeItem(key)
  }
}
