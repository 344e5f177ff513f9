import type * as z from 'zod/mini'
import { readKept } from './kept.ts'

/**
 * Unfinished texts, by person and by what they are about. The next person at this browser must not find them: a login as
 * somebody else and a logout forget them; a session that ran out keeps them for its person. What somebody without a
 * session typed goes with the tab, but for a sign-up, which an hour ends.
 */
const PREFIX = 'draft:'
/** A sign-up, as its certification is called. */
const SIGN_UP = 'TYP001'

/** The key under which a browser's storage has a draft. */
export function keyOf(userId: string | null, about: string): string {
  return `${PREFIX}${userId ?? ''}:${about}`
}

function storageOf(userId: string | null, about: string): Storage {
  return userId === null && about !== SIGN_UP ? sessionStorage : localStorage
}

/** @returns whether the browser had room for it */
export function keepDraft(userId: string | null, about: string, draft: unknown): boolean {
  try {
    storageOf(userId, about).setItem(keyOf(userId, about), JSON.stringify(draft))
    return true
  } catch {
    // Full, or forbidden by the browser's settings: the caller says nothing of a draft then.
    return false
  }
}

/** What was kept; undefined for nothing, or nothing of this form. */
export function findDraft<T>(userId: string | null, about: string, form: z.ZodMiniType<T>): T | undefined {
  return readKept(storageOf(userId, about), keyOf(userId, about), form)
}

/** Saved, or discarded. */
export function forgetDraft(userId: string | null, about: string): void {
  storageOf(userId, about).removeItem(keyOf(userId, about))
}

/** The moment of a draft as people say it here: HH:mm, with its day unless it is today. */
export function draftClock(moment: string): string {
  const [day, time = ''] = new Date(moment).toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }).split(' ')
  const [today] = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }).split(' ')
  return day === today ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`
}

/** Forgets every draft, but for those of `userId`. */
export function forgetDrafts(options: { except?: string } = {}): void {
  for (const key of Object.keys(localStorage)) {
    const isKept = options.except !== undefined && key.startsWith(keyOf(options.except, ''))
    if (key.startsWith(PREFIX) && !isKept) localStorage.removeItem(key)
  }
}
