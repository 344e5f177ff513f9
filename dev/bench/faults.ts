/**
 * Claim (rules/running#faults): whatever breaks, no write that was answered is lost and none is there by half; and Maru comes back by
 * itself. The server, its PostgreSQL or both are killed, PostgreSQL stands still, connections are cut, the disk is full, the folder
 * of files is away, the power goes, at random moments under four people who write everything there is.
 *
 * Run: npm run bench -- faults (ROUNDS: of each kind, 10; MINUTES: at most; ONLY=disk; SEED)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_FAULTS, type Fault, type Outcome, startWorld } from '../test-kit/faults/round.ts'
import { numbersFrom } from '../test-kit/faults/writer.ts'
import { mountPowerDisk, mountSmallDisk, type SmallDisk } from '../test-kit/small-disk.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 10)
const MINUTES = Number(process.env['MINUTES'] ?? Infinity)
const ONLY = process.env['ONLY'] ?? ''
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

const say = (line: string) => void process.stdout.write(`${line}\n`)
const orSay = (without: string, mounted: SmallDisk | string) => {
  if (typeof mounted !== 'string') return mounted
  say(`Without ${without}: ${mounted}.`)
  return undefined
}
const disk = orSay('power cuts', mountPowerDisk(1024 ** 3)) ?? orSay('a full disk', mountSmallDisk(1024 ** 3))
const needs: Partial<Record<Fault, unknown>> = { disk, power: disk?.power }
const folder = disk?.folder ?? mkdtempSync(join(tmpdir(), 'maru-faults-'))
const kinds = ALL_FAULTS.filter(
  (kind) => kind.includes(ONLY) && (!(kind in needs) || needs[kind] !== undefined),
)

const random = numbersFrom(SEED + 1)
const order = kinds
  .flatMap((kind) => Array.from({ length: ROUNDS }, () => ({ kind, at: random() })))
  .toSorted((a, b) => a.at - b.at)
const outcomes: Outcome[] = []
let failed = ''
say(`seed ${SEED}, ${order.length} faults`)
const world = await startWorld({ dataDir: join(folder, 'data'), disk, seed: SEED })
try {
  const begun = performance.now()
  for (const { kind } of order) {
    if (performance.now() - begun > MINUTES * 60_000) break
    const outcome = await world.suffer(kind)
    outcomes.push(outcome)
    for (const line of [...outcome.lost.map((lost) => `lost: ${lost}`), ...outcome.halves])
      say(`  fault ${outcomes.length}, ${kind}: ${line}`)
    // What is lost once is lost ever after.
    if (outcome.lost.length + outcome.halves.length > 0) break
  }
} catch (error) {
  failed = String(error)
} finally {
  await world.stop()
  disk?.drop()
  rmSync(folder, { recursive: true, force: true })
}

say('| fault | times | lost | half | back after, median | at most |\n|---|---|---|---|---|---|')
const seconds = (ms: number | undefined) => `${((ms ?? Number.NaN) / 1000).toFixed(1)} s`
for (const [kind, of] of Map.groupBy(outcomes, ({ fault }) => fault)) {
  const times = of.map(({ recoveredMs }) => recoveredMs).toSorted((a, b) => a - b)
  const sum = (of_: 'lost' | 'halves') => of.reduce((all, one) => all + one[of_].length, 0)
  say(
    `| ${kind} | ${of.length} | ${sum('lost')} | ${sum('halves')} | ${seconds(times[times.length >> 1])} | ${seconds(times.at(-1))} |`,
  )
}
say(`${outcomes.reduce((all, { written }) => all + written, 0)} writes were answered. ${failed}`)
if (failed !== '' || outcomes.some(({ lost, halves }) => lost.length + halves.length > 0))
  process.exitCode = 1
