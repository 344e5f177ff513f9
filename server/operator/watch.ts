import type { Config } from '../config.ts'
import type { BackupState } from './records.ts'
import { lastDue } from './times.ts'

/** How long after its time a backup may still be on its way. */
const LATE_MS = 2 * 3_600_000

/** What a server knows of the backups without asking the database: its job looks every minute. */
export interface BackupWatch {
  learn(report: BackupReport): void
  /** Undefined where none are taken, and until the first look. */
  report(): BackupReport | undefined
}

/** How backups stand, and whether that is as it should be. */
export interface BackupReport extends BackupState {
  /** Whether the last one is older than BACKUP_AT wants, and the one since is not just on its way. */
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
