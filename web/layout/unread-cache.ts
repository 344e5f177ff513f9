import { sessionUserId, UNREAD } from '../session.ts'

/**
 * Stores the number of unread notifications of this user in local storage, so that the next page shows it before the
 * server answers.
 */
export function cacheUnread(count: number): void {
  localStorage.setItem(UNREAD, `${sessionUserId()} ${count}`)
}

/**
 * Returns the number of unread notifications that the bell showed last; 0 if there is none or if it was another user's.
 */
export function cachedUnread(): number {
  const [userId, count] = localStorage.getItem(UNREAD)?.split(' ') ?? []
  return userId === sessionUserId() ? Number(count) : 0
}
