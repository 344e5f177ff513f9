import { expect, test } from 'vitest'
import { countTurns } from '../../dev/test-kit/turns.ts'
import { mapInTurns } from './import-rows.ts'

test('the rows of a large file are looked at in order, and others have their turns in between', async () => {
  const turns = countTurns()
  const rows = Array.from({ length: 10_000 }, (_, i) => `row ${i}`)
  const seen = await mapInTurns(rows, (row, index) => [row, index])
  expect(seen).toEqual(rows.map((row, index) => [row, index]))
  expect(turns()).toBeGreaterThanOrEqual(40)
})
