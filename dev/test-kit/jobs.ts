import { pino } from 'pino'
import { vi } from 'vitest'
import { listJobs } from '../../server/jobs/list.ts'
import { createJobs } from '../../server/jobs/runner.ts'
import { koreanDay } from './days.ts'
import type { TestMaru } from './maru.ts'

/**
 * Starts these jobs as a server does when clocks in Korea show this time, and waits for what they do at once. It is today: a
 * clock that is a day from the database's is doubted (rules/running#clock).
 * @param time such as `08:00`
 */
export async function startJobsAt(time: string, names: readonly string[], maru: TestMaru): Promise<void> {
  vi.useFakeTimers({ now: new Date(`${koreanDay(0)}T${time}:00+09:00`), toFake: ['Date'] })
  const logger = pino({ level: 'silent' })
  const jobs = createJobs(logger)
  jobs.start(listJobs(maru.database, maru.services, logger).filter(({ name }) => names.includes(name)))
  await jobs.stop()
  vi.useRealTimers()
}
