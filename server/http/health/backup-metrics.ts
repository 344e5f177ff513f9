import type { Registry } from 'prom-client'
import type { Services } from '../handler.ts'
import { gaugesOf } from './database-metrics.ts'

/** Adds metrics of the scheduled backups, from the last run of their job and without a query (rules/running#metrics). */
export function addBackupMetrics(registry: Registry, { backups }: Pick<Services, 'backups'>): void {
  const gauge = gaugesOf(registry, () => backups.report())
  gauge(
    'maru_backup_last_timestamp_seconds',
    'Unix time in seconds when the last scheduled backup completed; 0 before the first',
    ({ last }) => (last?.endedAt.getTime() ?? 0) / 1000,
  )
  gauge(
    'maru_backup_wrong',
    '1 while the last scheduled backup is late or lacks files, or its restore test has failed',
    ({ isWrong }) => Number(isWrong),
  )
}
