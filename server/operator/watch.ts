import type { Config } from '../config.ts'
import type { BackupState } from './records.ts'
import { lastDue } from './times.ts'

/** Milliseconds after its time in which a backup may still be in progress. */
const LATE_MS = 2 * 3_600_000

/** State of the backups that a server knows without a query: its job reads it every minute. */
export interface BackupWatch {
  learn(report: BackupReport): void
  /** Undefined where none are taken, and until the first look. */
  report(): BackupReport | undefined
}

/** State of the backups, and whether they are late. */
export interface BackupReport extends BackupState {
  /** Whether the last one is older than BACKUP_AT requires, and a newer one is not just in progress. */
  isLate: boolean
}

/** Remembers what the job has found. */
export function createBackupWatch(): BackupWatch {
  let known: BackupReport | undefined
  return { learn: (report) => void (known = report), report: () => known }
}

/** Says whether a state is as BACKUP_AT wants it. */
export function judge(state: BackupState, at: readonly string[], now: Date): BackupReport {
  const { last, failure } = state
  const due = lastDue(at, new Date(now.getTime() - LATE_MS))
  return { ...state, isLate: last === null ? failure !== null : last.dueAt < due }
}

/** Says whether this server restores a backup for its test: an encrypted one only with the private key. */
export const testsRestore = ({ recipients, identityFile }: Config['backups']): boolean =>
  recipients.length === 0 || identityFile !== ''
