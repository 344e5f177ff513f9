import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { LONG_READS_AT_ONCE, type LongReads } from '../../db/long-reads.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { takeExportSlot } from './export-slots.ts'

/* Exports that cannot begin (rules/lists#export-limits). */
const maru = useMaru()

test('gives connection and slot back if an export fails as it begins', async () => {
  const { longReads } = maru.database
  const failing: LongReads = {
    ...longReads,
    async begin() {
      const snapshot = await longReads.begin()
      // The transaction is aborted, so every later statement fails.
      await expect(sql`select 1 / 0`.execute(snapshot.tx)).rejects.toThrow('division by zero')
      return snapshot
    },
  }
  for (let n = 0; n <= LONG_READS_AT_ONCE; n += 1)
    await expect(takeExportSlot(failing, 'person')).rejects.toThrow('current transaction is aborted')
  const { end } = await takeExportSlot(longReads, 'person')
  await end()
})
