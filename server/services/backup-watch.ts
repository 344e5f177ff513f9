import type { Config } from '../config.ts'

/** Milliseconds after its time in which a backup may still be in progress. */
const LATE_MS = 2 * 3_600_000

/** Facts about the backups in the database. A part is null if there is none. */
export interface BackupState {
  /** The last complete backup: its scheduled time, its end, its folder, its size, and the number of files that were missing. */
  last: { dueAt: Date; endedAt: Date; folder: string; bytes: number; missing: number } | null
  /** Reason of the last failure after the last complete backup. */
  failure: string | null
  /** The last restore test, and its error; null if it passed. */
  test: { at: Date; failure: string | null } | null
}

/** State of the backups that a server knows without a query: its job reads it every minute. */
export interface BackupWatch {
  /** Stores the latest report. */
  learn(report: BackupReport): void
  /** Returns the latest report; undefined if no backups are taken, and until the first check. */
  report(): BackupReport | undefined
}

/** State of the backups, and whether they have problems. */
export interface BackupReport extends BackupState {
  /** Whether the last one is late or lacks files, or the last restore test failed. */
  isWrong: boolean
  /** Whether the last one is older than BACKUP_AT requires, and a newer one is not just in progress. */
  isLate: boolean
}

/** Creates a store for the latest report of the job. It is empty at first. */
export function createBackupWatch(): BackupWatch {
  let known: BackupReport | undefined
  return { learn: (report) => void (known = report), report: () => known }
}

/**
 * Returns a state with whether the backups are late (`isLate`) or have a problem (`isWrong`). Late means: no complete one for a
 * time of BACKUP_AT that is more than 2 hours ago. Without any complete backup, they are late after one has failed. Wrong means
 * late, or the last one lacks files, or the last restore test failed.
 * @param at times of BACKUP_AT
 */
export function toBackupReport(state: BackupState, at: readonly string[], now: Date): BackupReport {
  const { last, failure, test } = state
  const due = lastDue(at, new Date(now.getTime() - LATE_MS))
  const isLate = last === null ? failure !== null : last.dueAt < due
  const isIncomplete = (last?.missing ?? 0) > 0
  return { ...state, isLate, isWrong: isLate || isIncomplete || (test?.failure ?? null) !== null }
}

/** Returns whether this server can restore a backup for a restore test. An encrypted one requires the private key. */
export const testsRestore = ({ recipients, identityFile }: Config['backups']): boolean =>
  recipients.length === 0 || identityFile !== ''

/** BACKUP_AT in the time of Asia/Seoul, which has had no summer time since 1988. */
const OFFSET_MS = 9 * 3_600_000
/** Milliseconds of a day. */
const DAY_MS = 86_400_000

/**
 * Returns the latest time of BACKUP_AT that is not after `now`.
 * @param at at least one time of day, 'HH:MM' in Asia/Seoul
 */
export function lastDue(at: readonly string[], now: Date): Date {
  return new Date(Math.max(...around(at, now).filter((time) => time <= now.getTime())))
}

/**
 * Returns the first time of BACKUP_AT after `now`.
 * @param at at least one time of day, 'HH:MM' in Asia/Seoul
 */
export function nextDue(at: readonly string[], now: Date): Date {
  return new Date(Math.min(...around(at, now).filter((time) => time > now.getTime())))
}

/** Returns the times of BACKUP_AT of yesterday, today and tomorrow, in milliseconds since 1970. */
function around(at: readonly string[], now: Date): number[] {
  const midnight = Math.floor((now.getTime() + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS
  return at.flatMap((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    return [-1, 0, 1].map((day) => midnight + day * DAY_MS + hours * 3_600_000 + minutes * 60_000)
  })
}

/** Returns the name of the folder of a backup that is taken now: 'maru-' and its time in Asia/Seoul. */
export function folderName(now: Date): string {
  const [day = '', time = ''] = new Date(now.getTime() + OFFSET_MS).toISOString().split(/[T.]/)
  return `maru-${day}-${time.replaceAll(':', '')}`
}
