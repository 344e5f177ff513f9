import * as z from 'zod/mini'
import { draftKey } from './delete-drafts.ts'
import { readStorage } from './read-storage.ts'

/*
 * Drafts of forms, by user and by form. The next user of this browser must not find them: a logout and the login of
 * another user delete them. An expired session keeps them for its user. A guest's drafts end with the tab, except for a
 * sign-up, which expires after an hour.
 */

/** Name of the sign-up form in the keys of drafts. It is the code of its certification type. */
const SIGN_UP = 'TYP001'

/** Returns the storage of a draft: local storage, but session storage for a guest, except for a sign-up. */
function storageOf(userId: string | null, about: string): Storage {
  return userId === null && about !== SIGN_UP ? sessionStorage : localStorage
}

/** The draft of a form: its changed fields. */
const formDraft = z.object({
  /** ISO timestamp of the last input. */
  savedAt: z.string(),
  values: z.record(z.string(), z.unknown()),
  /** Version of the record that the form was opened with, if saving detects edit conflicts. */
  version: z.optional(z.string()),
  /** URL of the page that offers the draft. */
  href: z.optional(z.string()),
  /** Name of the record, as users call it: a title, a name, a code. */
  name: z.optional(z.string()),
})
/** A stored draft of a form: the fields that the user changed, and what a page needs to offer it again. */
export type FormDraft = z.output<typeof formDraft>

/**
 * Stores a draft, in place of an earlier one of the same form.
 * @param userId login ID; null for a guest
 * @param about the form and its record, as in `DraftOptions`
 * @returns false if the browser refuses, for example because the storage is full
 */
export function saveDraft(userId: string | null, about: string, draft: FormDraft): boolean {
  try {
    storageOf(userId, about).setItem(draftKey(userId, about), JSON.stringify(draft))
    return true
  } catch {
    // The storage is full, or the browser's settings forbid it. The page works without drafts then.
    return false
  }
}

/** Deletes the draft of a user (null for a guest) and form from the storage that `saveDraft` uses. */
export function deleteDraft(userId: string | null, about: string): void {
  storageOf(userId, about).removeItem(draftKey(userId, about))
}

/** Milliseconds until a guest's draft expires, because the next user of the browser could read it. */
const GUEST_DRAFT_MS = 3_600_000

/**
 * Returns the draft of a form; undefined if there is none, or if it is invalid. Deletes a guest's draft that is older
 * than an hour.
 */
export function findDraft(userId: string | null, about: string): FormDraft | undefined {
  const draft = readStorage(storageOf(userId, about), draftKey(userId, about), formDraft)
  const isExpired = userId === null && draft && Date.now() - Date.parse(draft.savedAt) > GUEST_DRAFT_MS
  if (isExpired !== true) return draft
  deleteDraft(userId, about)
  return undefined
}

/** Formats an ISO timestamp in Korean time: HH:mm, and YYYY-MM-DD before it unless it is today. */
export function formatDraftTime(timestamp: string): string {
  const [day, time = ''] = new Date(timestamp).toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }).split(' ')
  const [today] = new Date().toLocaleString('sv-SE', { timeZone: 'Asia/Seoul' }).split(' ')
  return day === today ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`
}

/** Lists the drafts of a user in local storage, newest first. Leaves out those without `href`, which no page offers. */
export function listDrafts(userId: string): (FormDraft & { href: string })[] {
  const prefix = draftKey(userId, '')
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const draft = readStorage(localStorage, key, formDraft)
      return draft?.href === undefined ? [] : [{ ...draft, href: draft.href }]
    })
    .toSorted((a, b) => b.savedAt.localeCompare(a.savedAt))
}
