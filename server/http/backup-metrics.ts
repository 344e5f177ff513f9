import { Gauge, type Registry } from 'prom-client'
import type { BackupReport } from '../operator/watch.ts'
import type { Services } from './handler.ts'

/** Adds metrics of the scheduled backups, from the last run of their job and without a query (rules/running#metrics). */
export function addBackupMetrics(registry: Registry, { backups }: Pick<Services, 'backups'>): void {
  const gauge = (name: string, help: string, valueOf: (report: BackupReport) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const report = backups.report()
        if (report === undefined) this.remove()
        else this.set(valueOf(report))
      },
    })
  gauge(
    'maru_backup_last_timestamp_seconds',
    'When the last scheduled backup was whole; 0 until one is',
    ({ last }) => (last?.endedAt.getTime() ?? 0) / 1000,
  )
  gauge(
    'maru_backup_wrong',
    '1 while the last scheduled backup is late or its test restore has failed',
    ({ isLate, test }) => Number(isLate || (test?.failure ?? null) !== null),
  )
}
