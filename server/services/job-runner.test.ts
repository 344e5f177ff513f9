import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createJobs, type Job } from './job-runner.ts'

const log: { msg: string; job: string; err: { message: string } }[] = []
const logger = pino({ level: 'warn' }, { write: (line) => log.push(JSON.parse(line)) })

/** A job that runs when it is woken, with what a test needs to hold and release its runs. */
function held(name: string, more: Partial<Job> = {}) {
  const runs: { end: (isMore?: boolean) => void; fail: (why: string) => void; signal: AbortSignal }[] = []
  const run = (signal: AbortSignal) =>
    new Promise<unknown>((resolve, reject) => {
      runs.push({ signal, end: resolve, fail: (why) => reject(new Error(why)) })
    })
  return { runs, job: { name, everySeconds: 3600, run, ...more } satisfies Job }
}
/** Waits until all pending promise callbacks have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

afterEach(() => {
  vi.useRealTimers()
  log.length = 0
})

describe('a job', () => {
  test('runs at once and then on its schedule, and never twice at a time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const jobs = createJobs(logger)
    const { runs, job } = held('a', { everySeconds: 10 })
    jobs.start([job])
    expect(runs).toHaveLength(1)
    vi.advanceTimersByTime(30_000)
    expect(runs).toHaveLength(1)
    runs[0]?.end()
    await settled()
    expect(runs).toHaveLength(1)
    vi.advanceTimersByTime(10_000)
    expect(runs).toHaveLength(2)
    runs[1]?.end()
    await jobs.stop()
    vi.advanceTimersByTime(60_000)
    expect(runs).toHaveLength(2)
  })

  test('runs again at once when there is more to do or it was woken during a run', async () => {
    const jobs = createJobs(logger)
    const { runs, job } = held('a')
    jobs.start([job])
    runs[0]?.end(true)
    await settled()
    expect(runs).toHaveLength(2)
    jobs.wake('a')
    expect(runs).toHaveLength(2)
    runs[1]?.end(false)
    await settled()
    expect(runs).toHaveLength(3)
    runs[2]?.end(false)
    await settled()
    expect(runs).toHaveLength(3)
    await jobs.stop()
  })

  test('runs at most `lanes` times at once', async () => {
    const jobs = createJobs(logger)
    const { runs, job } = held('a', { lanes: 2 })
    jobs.start([job])
    for (let i = 0; i < 5; i += 1) jobs.wake('a')
    expect(runs).toHaveLength(2)
    const stopped = jobs.stop()
    for (const run of runs) run.end()
    await stopped
  })

  test('logs and counts a failed job once and retries it without disturbing others', async () => {
    const jobs = createJobs(logger)
    const [bad, good] = [held('bad'), held('good')]
    jobs.start([bad.job, good.job])
    bad.runs[0]?.fail('the disk is full')
    good.runs[0]?.end()
    await settled()
    expect(log).toMatchObject([
      { msg: 'a job failed and will be retried', job: 'bad', err: { message: 'the disk is full' } },
    ])
    expect(jobs.report()).toMatchObject([
      { name: 'bad', lastRunAt: 0, failures: 1 },
      { name: 'good', lastRunAt: expect.closeTo(Date.now(), -4), failures: 0 },
    ])
    jobs.wake('bad')
    bad.runs[1]?.end()
    await settled()
    expect(jobs.report()[0]).toMatchObject({ lastRunAt: expect.closeTo(Date.now(), -4), failures: 1 })
    await jobs.stop()
  })

  test('starts a daily job at its hour in Korea and runs it until it succeeds once', async () => {
    vi.useFakeTimers({
      toFake: ['Date', 'setInterval', 'clearInterval'],
      now: new Date('2026-11-20T22:58:30Z'),
    })
    const jobs = createJobs(logger)
    const { runs, job } = held('a', { everySeconds: 60, fromHour: 8 })
    jobs.start([job])
    vi.advanceTimersByTime(60_000)
    expect(runs).toHaveLength(0)
    vi.advanceTimersByTime(60_000)
    expect(runs).toHaveLength(1)
    runs[0]?.fail('not yet')
    await settled()
    vi.advanceTimersByTime(60_000)
    expect(runs).toHaveLength(2)
    runs[1]?.end()
    await settled()
    vi.advanceTimersByTime(15 * 3_600_000)
    expect(runs).toHaveLength(2)
    vi.advanceTimersByTime(9 * 3_600_000)
    expect(runs).toHaveLength(3)
    runs[2]?.end()
    await jobs.stop()
  })
})

describe('stopping', () => {
  test('waits for running jobs and begins nothing more', async () => {
    const jobs = createJobs(logger, 60_000)
    const { runs, job } = held('a')
    jobs.start([job])
    let isStopped = false
    const stopped = jobs.stop().then(() => (isStopped = true))
    jobs.wake('a')
    await settled()
    expect([isStopped, runs.length, runs[0]?.signal.aborted]).toEqual([false, 1, false])
    runs[0]?.end(true)
    await stopped
    expect(runs).toHaveLength(1)
  })

  test('tells a run that takes too long to give up', async () => {
    const jobs = createJobs(logger, 1)
    const { runs, job } = held('a')
    jobs.start([job])
    runs[0]?.signal.addEventListener('abort', () => runs[0]?.end())
    await jobs.stop()
    expect(runs[0]?.signal.aborted).toBe(true)
  })

  test('leaves a run that does not give up, such as one that waits for a lock (rules/running#stop)', async () => {
    const jobs = createJobs(logger, 1)
    const { runs, job } = held('a')
    jobs.start([job])
    await jobs.stop()
    expect(runs[0]?.signal.aborted).toBe(true)
  })
})

test('ignores waking a job that does not run here', () => {
  createJobs(logger).wake('nobody')
})
