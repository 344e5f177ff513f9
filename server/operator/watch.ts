import type { Config } from '../config.ts'
import type { BackupState } from './records.ts'
import { lastDue } from './times.ts'

/** Milliseconds after its time in which a backup may still be in progress. */
const LATE_MS = 2 * 3_600_000

/** State of the backups that a server knows without a query: its job reads it every minute. */
export interface BackupWatch {
  learn(report: BackupReport): void
  /** Undefined if no backups are taken, and until the first check. */
  report(): BackupReport | undefined
}

/** State of the backups, and whether they are late. */
export interface BackupReport extends BackupState {
  /** Whether the last one is older than BACKUP_AT requires, and a newer one is not just in progress. */
  isLate: boolean
}

/** Creates a store for the latest report of the job. */
export function createBackupWatch(): BackupWatch {
  let known: BackupReport | undefined
  return { learn: (report) => void (known = report), report: () => known }
}

/** Returns a state with whether it is late by the times of BACKUP_AT. */
export function judge(state: BackupState, at: readonly string[], now: Date): BackupReport {
  const { last, failure } = state
  const due = lastDue(at, new Date(now.getTime() - LATE_MS))
  return { ...state, isLate: last === null ? failure !== null : last.dueAt < due }
}

/** Returns whether this server can restore a backup for a restore test. An encrypted one requires the private key. */
export const testsRestore = ({ recipients, identityFile }: Config['backups']): boolean =>
  recipients.length === 0 || identityFile !== ''
