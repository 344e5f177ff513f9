import * as z from 'zod/mini'
import { keyOf } from './forget-drafts.ts'
import { readKept } from './kept.ts'

/*
 * Unfinished texts, by person and by what they are about. The next person at this browser must not find them: a login as
 * somebody else and a logout forget them; a session that ran out keeps them for its person. What somebody without a
 * session typed goes with the tab, but for a sign-up, which an hour ends.
 */
/** A sign-up, as its certification is called. */
const SIGN_UP = 'TYP001'

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

/** What was typed of a form: the fields that differ from what it began with. */
const draftOfForm = z.object({
  /** The moment of its last keystrokes. */
  savedAt: z.string(),
  values: z.record(z.string(), z.unknown()),
  /** Which edit of the record it began from, where an edit of somebody else's since is told on saving. */
  version: z.optional(z.string()),
  /** The address that offers it. */
  href: z.optional(z.string()),
  /** What it is about, as people call it. */
  name: z.optional(z.string()),
})
export type DraftOfForm = z.output<typeof draftOfForm>

/** What somebody without a session typed tells the next person at this browser who wanted to work here. */
const VISITORS_STAY_MS = 3_600_000

/** The draft of a form, unless it is a visitor's and too old. */
export function findFormDraft(userId: string | null, about: string): DraftOfForm | undefined {
  const draft = findDraft(userId, about, draftOfForm)
  const isOver = userId === null && draft && Date.now() - Date.parse(draft.savedAt) > VISITORS_STAY_MS
  if (isOver !== true) return draft
  forgetDraft(userId, about)
  return undefined
}

/** A draft of a form, as a list of them shows it. */
export interface ListedDraft {
  /** The address that offers it: a page of the portal, whose title says which form it is. */
  href: string
  /** What it is about, as people call it: a title, a name, a code; undefined where nothing was typed there. */
  name: string | undefined
  /** When it was kept, as an ISO moment; `draftClock` says it in words. */
  savedAt: string
  /** What was typed, by field. */
  values: Record<string, unknown>
}

/** The drafts of forms that somebody has in this browser, the newest first. */
export function listDrafts(userId: string): ListedDraft[] {
  const prefix = keyOf(userId, '')
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const { href, name, savedAt, values } = readKept(localStorage, key, draftOfForm) ?? {}
      return href === undefined || savedAt === undefined || values === undefined
        ? []
        : [{ href, name, savedAt, values }]
    })
    .toSorted((one, other) => other.savedAt.localeCompare(one.savedAt))
}
