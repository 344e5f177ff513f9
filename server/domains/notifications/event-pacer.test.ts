import { expect, it, onTestFinished, vi } from 'vitest'
import { createEventPacer, MOST_EVENTS_A_SECOND } from './event-pacer.ts'

it('sends a flood of events as one each, at a limited rate (rules/notifications#live)', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sent: number[] = []
  const announce = createEventPacer<number>((stream) => sent.push(stream))
  const streams = Array.from({ length: 3 * MOST_EVENTS_A_SECOND }, (_, index) => index)

  announce(0)
  vi.advanceTimersByTime(0)
  expect(sent).toEqual([0])
  for (let second = 1; second <= 6; second += 1) {
    for (const stream of streams) announce(stream)
    vi.advanceTimersByTime(1_000)
    expect(sent.length).toBeLessThanOrEqual(1 + second * MOST_EVENTS_A_SECOND)
  }
  // Each stream got its turn twice.
  expect(sent.toSorted((one, other) => one - other)).toEqual([
    0,
    ...streams.flatMap((stream) => [stream, stream]),
  ])
  vi.advanceTimersByTime(10_000)
  expect(new Set(sent).size).toBe(streams.length)
})
