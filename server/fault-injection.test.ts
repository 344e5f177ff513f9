import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { findRunning } from './db/embedded/find-running.ts'
import { look } from '../dev/test-kit/faults/look.ts'
import { type Fault, startWorld } from '../dev/test-kit/faults/round.ts'

/*
 * Injects faults while a client writes every kind of record (rules/running#faults). `npm run bench -- faults` runs any
 * number of faults of every kind.
 */

const FEW: Fault[] = ['database', 'frozen', 'cut', 'storage']
const folder = mkdtempSync(join(tmpdir(), 'maru-faults-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('loses no confirmed write, writes nothing partially and recovers by itself', async () => {
  const dataDir = join(folder, 'data')
  const world = await startWorld({ dataDir, disk: undefined, seed: 20_261_122 })
  try {
    for (const fault of FEW) {
      const { lost, halves, written } = await world.suffer(fault)
      expect([fault, lost, halves]).toEqual([fault, [], []])
      expect(written, `writes answered around ${fault}`).toBeGreaterThan(0)
    }
    // The checks would have found these losses.
    const client = new pg.Client(findRunning(dataDir))
    await client.connect()
    await client.query('delete from issued_keys where id = (select max(id) from issued_keys)')
    await client.end()
    const { lost, halves } = await look(dataDir, world.desk, world.acknowledged)
    expect([lost.length, halves.length]).toEqual([1, 1])
  } finally {
    await world.stop()
  }
}, 180_000)
