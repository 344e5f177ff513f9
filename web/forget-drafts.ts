/* What every page needs of the drafts (drafts.ts). */

const PREFIX = 'draft:'

/** The key under which a browser's storage has a draft. */
export function keyOf(userId: string | null, about: string): string {
  return `${PREFIX}${userId ?? ''}:${about}`
}

/** Forgets every draft, but for those of `userId`. */
export function forgetDrafts(options: { except?: string } = {}): void {
  for (const key of Object.keys(localStorage)) {
    const isKept = options.except !== undefined && key.startsWith(keyOf(options.except, ''))
    if (key.startsWith(PREFIX) && !isKept) localStorage.removeItem(key)
  }
}
