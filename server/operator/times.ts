/** BACKUP_AT in the time of Asia/Seoul, which has had no summer time since 1988. */
const OFFSET_MS = 9 * 3_600_000
const DAY_MS = 86_400_000

/** Returns the latest time of BACKUP_AT that has passed. */
export function lastDue(at: readonly string[], now: Date): Date {
  return new Date(Math.max(...around(at, now).filter((time) => time <= now.getTime())))
}

/** Returns the next time of BACKUP_AT. */
export function nextDue(at: readonly string[], now: Date): Date {
  return new Date(Math.min(...around(at, now).filter((time) => time > now.getTime())))
}

/** Returns the times of yesterday, today and tomorrow. */
function around(at: readonly string[], now: Date): number[] {
  const midnight = Math.floor((now.getTime() + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS
  return at.flatMap((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    return [-1, 0, 1].map((day) => midnight + day * DAY_MS + hours * 3_600_000 + minutes * 60_000)
  })
}

/** Returns the name of a backup's folder: its time in Asia/Seoul. */
export function folderName(now: Date): string {
  const [day = '', time = ''] = new Date(now.getTime() + OFFSET_MS).toISOString().split(/[T.]/)
  return `maru-${day}-${time.replaceAll(':', '')}`
}
