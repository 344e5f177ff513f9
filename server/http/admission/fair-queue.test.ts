import { expect, onTestFinished, test, vi } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

/* Turns in front of the calls (rules/running#load). */

/** A queue with one place that is taken, and the order in which the work of others is begun. */
function busyQueue(limits: { maxWaiting?: number; maxWaitMs?: number } = {}) {
  const queue = createFairQueue({ slots: 1, maxWaiting: 100, maxWaitMs: 60_000, ...limits })
  const begun: string[] = []
  const running = Promise.withResolvers<void>()
  const first = queue.run('somebody', () => running.promise)
  return {
    queue,
    begun,
    ask: (whose: string, what: string) => queue.run(whose, async () => void begun.push(what)),
    end: async () => {
      running.resolve()
      await first
    },
  }
}

test('starts queued tasks round-robin per caller, and those of one caller in order', async () => {
  const { ask, end, begun } = busyQueue()
  const flood = [1, 2, 3, 4].map((n) => ask('김', `김 ${n}`))
  const others = [ask('이', '이 1'), ask('박', '박 1'), ask('이', '이 2')]
  await end()
  await Promise.all([...flood, ...others])
  expect(begun).toEqual(['김 1', '이 1', '박 1', '김 2', '이 2', '김 3', '김 4'])
})

test('runs as many tasks as there are slots, also after failures', async () => {
  const queue = createFairQueue({ slots: 3, maxWaiting: 100, maxWaitMs: 60_000 })
  let [atOnce, most] = [0, 0]
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) =>
      queue.run(String(n % 4), async () => {
        atOnce += 1
        most = Math.max(most, atOnce)
        await new Promise(setImmediate)
        atOnce -= 1
        if (n % 3 === 0) throw new Error('a failure')
      }),
    ),
  )
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)
  expect([most, queue.waiting()]).toEqual([3, 0])
})

test('gives one caller only some of the slots, even if the others are free', async () => {
  const queue = createFairQueue({ slots: 4, slotsPerCaller: 2, maxWaiting: 100, maxWaitMs: 60_000 })
  const running = Promise.withResolvers<void>()
  const begun: string[] = []
  const ask = (whose: string) =>
    queue.run(whose, async () => {
      begun.push(whose)
      await running.promise
    })
  const calls = [...Array.from({ length: 5 }, () => ask('김')), ask('이'), ask('박'), ask('최')]
  expect([begun, queue.waiting()]).toEqual([['김', '김', '이', '박'], 4])
  running.resolve()
  await Promise.all(calls)
  expect([begun.length, queue.waiting()]).toEqual([8, 0])
  await ask('김')
})

test('refuses a task that is queued for too long, and never runs it', async () => {
  const { queue, ask, end, begun } = busyQueue({ maxWaitMs: 1 })
  await expect(ask('김', '김 1')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 })
  expect(queue.waiting()).toBe(0)
  await end()
  await queue.run('이', () => Promise.resolve())
  expect(begun).toEqual([])
})

test('refuses the newest task of the longest queue if too much is queued', async () => {
  const { ask, end, begun } = busyQueue({ maxWaiting: 4 })
  const flood = [1, 2, 3, 4].map((n) => ask('김', `김 ${n}`))
  const other = ask('이', '이 1')
  await expect(flood.pop()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(ask('김', '김 5')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await end()
  await Promise.all([...flood, other])
  expect(begun).toEqual(['김 1', '이 1', '김 2', '김 3'])
})

test('refuses a task of a heavy queue before one of a long queue', async () => {
  const { queue, ask, end, begun } = busyQueue({ maxWaiting: 4 })
  const long = [1, 2].map((n) => ask('김', `김 ${n}`))
  const heavy = queue.run('이', async () => void begun.push('이 1'), { weight: 3 })
  await expect(heavy).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(queue.waiting()).toBe(2)
  await end()
  await Promise.all(long)
  expect(begun).toEqual(['김 1', '김 2'])
})

test('refuses the newest caller if no queue is the heaviest', async () => {
  const { ask, end, begun } = busyQueue({ maxWaiting: 2 })
  const before = [ask('김', '김 1'), ask('이', '이 1')]
  await expect(ask('박', '박 1')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await end()
  await Promise.all(before)
  expect(begun).toEqual(['김 1', '이 1'])
})

/** Work of a caller that continues until the test ends it. */
function working(limits: { slots: number; slotsPerCaller?: number; pauseFactor?: number }) {
  const queue = createFairQueue({ maxWaiting: 100, maxWaitMs: 60_000, ...limits })
  const running: { whose: string; end: () => void }[] = []
  return {
    queue,
    now: () => running.map(({ whose }) => whose),
    begin: (whose: string, priority: 0 | 1 | 2 | (() => 0 | 1 | 2) = 0) =>
      queue.run(
        whose,
        () =>
          new Promise<void>((resolve) => {
            const one = {
              whose,
              end: () => {
                running.splice(running.indexOf(one), 1)
                resolve()
              },
            }
            running.push(one)
          }),
        { priority: typeof priority === 'function' ? priority : () => priority },
      ),
    end: async (whose: string) => {
      running.find((one) => one.whose === whose)?.end()
      await new Promise(setImmediate)
    },
  }
}

test('starts callers of a low priority later, and leaves slots free for the others', async () => {
  const { begin, now, end } = working({ slots: 3 })
  const all = [begin('guesser', 2), begin('guesser', 2), begin('stranger', 1), begin('stranger', 1)]
  // One slot is reserved for known callers and is given to them immediately.
  expect(now()).toEqual(['guesser', 'stranger'])
  all.push(begin('colleague'), begin('another colleague'))
  expect(now()).toEqual(['guesser', 'stranger', 'colleague'])
  await end('guesser')
  expect(now()).toEqual(['stranger', 'colleague', 'another colleague'])
  await end('colleague')
  await end('another colleague')
  expect(now()).toEqual(['stranger', 'stranger'])
  await end('stranger')
  expect(now()).toEqual(['stranger'])
  await end('stranger')
  expect(now()).toEqual(['guesser'])
  await end('guesser')
  await Promise.all(all)
})

test('starts the shorter queue first below the highest priority', async () => {
  const { begin, now, end } = working({ slots: 2 })
  const all = ['flooder', 'flooder', 'flooder', 'flooder', 'newcomer'].map((whose) => begin(whose, 1))
  all.push(begin('colleague'))
  expect(now()).toEqual(['flooder', 'colleague'])
  await end('flooder')
  expect(now()).toEqual(['colleague'])
  await end('colleague')
  expect(now()).toEqual(['newcomer'])
  await end('newcomer')
  for (let i = 0; i < 3; i += 1) await end('flooder')
  await Promise.all(all)
})

test('gives one slot to all callers of the lowest priority, even if others are free', async () => {
  const { begin, now, end } = working({ slots: 6 })
  const all = ['guesser', 'guesser', 'another'].map((whose) => begin(whose, 2))
  expect(now()).toEqual(['guesser'])
  all.push(begin('stranger', 1), begin('colleague'))
  expect(now()).toEqual(['guesser', 'stranger', 'colleague'])
  for (const whose of ['guesser', 'guesser', 'another', 'stranger', 'colleague']) await end(whose)
  await Promise.all(all)
})

test('reads the priority again when a queued task may start', async () => {
  const { begin, now, end } = working({ slots: 6 })
  let isGuesser = false
  const priority = () => (isGuesser ? 2 : 1)
  const all = Array.from({ length: 8 }, () => begin('newcomer', priority))
  expect(now()).toHaveLength(5)
  isGuesser = true
  for (let i = 0; i < 5; i += 1) await end('newcomer')
  expect(now()).toEqual(['newcomer'])
  for (let i = 0; i < 3; i += 1) await end('newcomer')
  await Promise.all(all)
})

test('leaves only the slot of the lowest priority empty after a task', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { begin, now, end } = working({ slots: 6, pauseFactor: 3 })
  const all = [begin('guesser', 2), begin('guesser', 2)]
  vi.advanceTimersByTime(100)
  await end('guesser')
  // It is answered, and others find their places.
  await all[0]
  all.push(begin('stranger', 1), begin('another guesser', 2))
  expect(now()).toEqual(['stranger'])
  vi.advanceTimersByTime(299)
  await new Promise(setImmediate)
  expect(now()).toEqual(['stranger'])
  vi.advanceTimersByTime(1)
  await new Promise(setImmediate)
  expect(now()).toEqual(['stranger', 'guesser'])
  await end('stranger')
  await end('guesser')
  vi.advanceTimersByTime(1)
  await new Promise(setImmediate)
  await end('another guesser')
  await Promise.all(all)
})

test('refuses callers of the lowest priority first if too much is queued', async () => {
  const { begin, end, queue } = working({ slots: 1 })
  const first = begin('colleague')
  const filling = Array.from({ length: 99 }, () => begin('office'))
  const guess = begin('guesser', 2)
  expect(queue.waiting('office')).toBe(99)
  const late = begin('stranger', 1)
  await expect(guess).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  for (const whose of ['colleague', ...filling.map(() => 'office'), 'stranger']) await end(whose)
  await Promise.all([first, ...filling, late])
})

test('gives a busy caller one slot while others are active, and all of theirs if alone', async () => {
  const { begin, now, end } = working({ slots: 6, slotsPerCaller: 3 })
  const calls: Promise<void>[] = []
  for (let i = 0; i < 40; i += 1) {
    calls.push(begin('busy'))
    await end('busy')
  }
  calls.push(begin('busy'), begin('busy'), begin('busy'))
  expect(now()).toHaveLength(3)
  calls.push(begin('other'), begin('busy'))
  for (let i = 0; i < 3; i += 1) await end('busy')
  expect(now()).toEqual(['other', 'busy'])
  calls.push(begin('busy'), begin('other'))
  expect(now()).toEqual(['other', 'busy', 'other'])
  for (const whose of ['busy', 'busy', 'other', 'other']) await end(whose)
  await Promise.all(calls)
})

test('starts the next task of a caller that is busy no longer, even if none ends', async () => {
  const queue = createFairQueue({ slots: 4, maxWaiting: 100, maxWaitMs: 60_000 })
  await queue.run('other', async () => {})
  for (let n = 0; n < 50; n += 1) await queue.run('busy', async () => {})
  const long = Promise.withResolvers<void>()
  const first = queue.run('busy', () => long.promise)
  const next = queue.run('busy', async () => 'begun')
  expect(queue.waiting()).toBe(1)
  expect(await next).toBe('begun')
  long.resolve()
  await first
})
