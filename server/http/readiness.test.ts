import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useMaru } from '../../dev/test-kit/maru.ts'
import { createReadiness } from './readiness.ts'

/* Whether a server is ready, asked by anybody and as often as they like (rules/running#health). */
const maru = useMaru({}, { readiness: { withinMs: 1_000, keptMs: 0 } })

test('/readyz is 503 in time when the storage does not answer', async () => {
  const hangs = Promise.withResolvers<undefined>()
  vi.spyOn(maru.services.storage, 'ready').mockReturnValue(hangs.promise)
  const late = sleep(10_000, undefined, { ref: false })
  const ready = await Promise.race([maru.app.inject('/readyz'), late])
  hangs.resolve(undefined)
  vi.restoreAllMocks()
  expect(ready?.json()).toEqual({ status: 'unavailable', failed: ['storage'] })
  await expect.poll(async () => (await maru.app.inject('/readyz')).statusCode).toBe(200)
})

test('what was answered holds for a while, for all who ask', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const check = vi.fn(() => Promise.resolve())
  const notReady = createReadiness({ check }, () => {}, { withinMs: 5_000, keptMs: 50 })
  for (let n = 0; n < 10; n += 1) expect(await notReady()).toEqual([])
  expect(check).toHaveBeenCalledTimes(1)
  vi.setSystemTime(Date.now() + 50)
  await notReady()
  expect(check).toHaveBeenCalledTimes(2)
})

test('what hangs is not asked again until it has answered', async () => {
  const hangs = Promise.withResolvers<undefined>()
  const check = vi.fn(() => hangs.promise)
  const tell = vi.fn()
  const notReady = createReadiness({ check }, tell, { withinMs: 1, keptMs: 0 })
  for (let n = 0; n < 5; n += 1) {
    expect(await notReady()).toEqual([{ name: 'check', error: 'late' }])
    await sleep(5)
  }
  expect([check.mock.calls.length, tell.mock.calls.length]).toEqual([1, 5])
  hangs.resolve(undefined)
  await expect.poll(notReady).toEqual([])
})
