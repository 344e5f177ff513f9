import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { createReadiness } from './readiness.ts'

/* Readiness of a server. Anonymous clients may check it without limit (rules/running#health). */
const maru = useMaru({}, { readiness: { timeoutMs: 1_000, cacheMs: 0 } })

test('answers 503 at /readyz in time if the storage does not respond', async () => {
  const hangs = Promise.withResolvers<undefined>()
  vi.spyOn(maru.services.storage, 'ready').mockReturnValue(hangs.promise)
  const late = sleep(10_000, undefined, { ref: false })
  const ready = await Promise.race([maru.app.inject('/readyz'), late])
  hangs.resolve(undefined)
  vi.restoreAllMocks()
  expect(ready?.json()).toEqual({ status: 'unavailable', failed: ['storage'] })
  await expect.poll(async () => (await maru.app.inject('/readyz')).statusCode).toBe(200)
})

test('caches a result for all callers', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const check = vi.fn(() => Promise.resolve())
  const notReady = createReadiness({ check }, () => {}, { timeoutMs: 5_000, cacheMs: 50 })
  for (let n = 0; n < 10; n += 1) expect(await notReady()).toEqual([])
  expect(check).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(50)
  await notReady()
  expect(check).toHaveBeenCalledTimes(2)
})

test('does not repeat a check that hangs', async () => {
  const hangs = Promise.withResolvers<undefined>()
  const check = vi.fn(() => hangs.promise)
  const report = vi.fn()
  const notReady = createReadiness({ check }, report, { timeoutMs: 1, cacheMs: 0 })
  for (let n = 0; n < 5; n += 1) {
    expect(await notReady()).toEqual([{ name: 'check', error: 'no answer in time' }])
    await sleep(5)
  }
  expect([check.mock.calls.length, report.mock.calls.length]).toEqual([1, 5])
  hangs.resolve(undefined)
  await expect.poll(notReady).toEqual([])
})
