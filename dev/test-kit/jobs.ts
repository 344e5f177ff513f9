import { pino } from 'pino'
import { vi } from 'vitest'
import { listJobs } from '../../server/jobs/schedule.ts'
import { createJobs } from '../../server/services/job-runner.ts'
import { koreanDay } from './days.ts'
import type { TestMaru } from './maru.ts'

/**
 * Starts these jobs at a time of today in Asia/Seoul, and waits for their first run. Another day would make the clock
 * untrusted (rules/running#clock). Ignores unknown names. Restores the real time, and ends other fake timers.
 * @param time such as `08:00`
 * @param names names of jobs of `listJobs`
 */
export async function startJobsAt(time: string, names: readonly string[], maru: TestMaru): Promise<void> {
  vi.useFakeTimers({ now: new Date(`${koreanDay(0)}T${time}:00+09:00`), toFake: ['Date'] })
  const logger = pino({ level: 'silent' })
  const jobs = createJobs(logger)
  jobs.start(listJobs(maru.database, maru.services, logger).filter(({ name }) => names.includes(name)))
  await jobs.stop()
  vi.useRealTimers()
}
