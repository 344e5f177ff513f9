/* The part of drafts.ts that every page loads. */

/** Start of the storage keys of all drafts. */
const PREFIX = 'draft:'

/** Returns the storage key of a draft; the empty string as `about` gives the prefix of all drafts of a user. */
export function draftKey(userId: string | null, about: string): string {
  return `${PREFIX}${userId ?? ''}:${about}`
}

/**
 * Deletes every draft in local storage. Drafts in the session storage of a tab stay.
 * @param options.except login ID of a user whose drafts stay, too
 */
export function deleteDrafts(options: { except?: string } = {}): void {
  for (const key of Object.keys(localStorage)) {
    const isExcepted = options.except !== undefined && key.startsWith(draftKey(options.except, ''))
    if (key.startsWith(PREFIX) && !isExcepted) localStorage.removeItem(key)
  }
}
