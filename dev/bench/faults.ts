/** Supports docs/rules/running.md#faults and docs/operations.md#emergencies. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_FAULTS, type Fault, type Outcome, startWorld } from '../test-kit/faults/round.ts'
import { numbersFrom } from '../test-kit/faults/writer.ts'
import { mountPowerDisk, mountSmallDisk, type SmallDisk } from '../test-kit/small-disk.ts'
import { atEnd, defineBench, say } from './harness/bench.ts'
import { median, printHead, printRow, sum } from './harness/numbers.ts'

/** Size of the mounted disk in bytes. */
const DISK_BYTES = 1024 ** 3

/**
 * Causes each kind of fault `rounds` times in random order, for at most `minutes`, and prints a row per kind. Leaves
 * out faults whose disk cannot be mounted. Stops with exit status 1 at the first lost or half-done write.
 * @param only part of the kinds' names; '' for all
 */
export default defineBench({
  name: 'faults',
  claim: 'Whatever breaks, no answered write is lost, none is there by half, and Maru recovers by itself',
  options: { rounds: 10, minutes: Infinity, only: '', seed: Date.now() % 1_000_000 },
  async run({ rounds, minutes, only, seed }) {
    const disk =
      mounted('power cuts', mountPowerDisk(DISK_BYTES)) ?? mounted('a full disk', mountSmallDisk(DISK_BYTES))
    const needs: Partial<Record<Fault, unknown>> = { disk, power: disk?.power }
    const folder = disk?.folder ?? mkdtempSync(join(tmpdir(), 'maru-faults-'))
    atEnd(() => {
      disk?.drop()
      rmSync(folder, { recursive: true, force: true })
    })
    const kinds = ALL_FAULTS.filter(
      (kind) => kind.includes(only) && (!(kind in needs) || needs[kind] !== undefined),
    )
    const random = numbersFrom(seed + 1)
    const order = kinds
      .flatMap((kind) => Array.from({ length: rounds }, () => ({ kind, at: random() })))
      .toSorted((a, b) => a.at - b.at)
    say(`seed ${seed}, ${order.length} faults`)
    const outcomes: Outcome[] = []
    const world = await startWorld({ dataDir: join(folder, 'data'), disk, seed })
    atEnd(() => world.stop())
    try {
      const end = performance.now() + minutes * 60_000
      for (const { kind } of order) {
        if (performance.now() > end) break
        const outcome = await world.suffer(kind)
        outcomes.push(outcome)
        const wrong = [...outcome.lost.map((lost) => `lost: ${lost}`), ...outcome.halves]
        for (const line of wrong) say(`  fault ${outcomes.length}, ${kind}: ${line}`)
        if (wrong.length > 0) process.exitCode = 1
        // Every later look would find the same loss.
        if (wrong.length > 0) break
      }
    } finally {
      report(outcomes)
    }
  },
})

/**
 * Returns the disk; if it could not be mounted, prints what is left out and why, and returns undefined.
 * @param without faults that need the disk
 * @param disk the disk, or the reason why there is none
 */
function mounted(without: string, disk: SmallDisk | string): SmallDisk | undefined {
  if (typeof disk !== 'string') return disk
  say(`Without ${without}: ${disk}.`)
  return undefined
}

/** Prints a row per kind of fault that happened, and the number of writes that were answered. */
function report(outcomes: readonly Outcome[]): void {
  printHead('fault', 'times', 'lost', 'half', 'back after, median s', 'at most s')
  for (const [kind, group] of Map.groupBy(outcomes, ({ fault }) => fault)) {
    const seconds = group.map(({ recoveredMs }) => recoveredMs / 1000)
    const counts = [group, group.flatMap(({ lost }) => lost), group.flatMap(({ halves }) => halves)]
    printRow(kind, ...counts.map(({ length }) => String(length)), median(seconds), Math.max(...seconds))
  }
  say(`${sum(outcomes.map(({ written }) => written))} writes were answered.`)
}
