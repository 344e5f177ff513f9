import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../dev/test-kit/faults/round.ts'
import { mountPowerDisk } from '../dev/test-kit/small-disk.ts'

/* The power goes under a writer of everything (rules/running#faults), on a real file system that loses what was not synced. */

test('loses no answered write in a power loss, even moments after the first start', async ({ skip }) => {
  const disk = mountPowerDisk(512 * 1024 ** 2)
  if (typeof disk === 'string') return skip(disk)
  onTestFinished(disk.drop)
  const world = await startWorld({ dataDir: join(disk.folder, 'data'), disk, seed: 20_261_123 })
  try {
    const { lost, halves, written } = await world.suffer('power')
    expect([lost, halves]).toEqual([[], []])
    expect(written).toBeGreaterThan(0)
  } finally {
    await world.stop()
  }
}, 300_000)
