import { expect, test } from 'vitest'
import { countTurns } from '../../../dev/test-kit/turns.ts'
import { mapInTurns } from './row-validation.ts'

test('checks the rows of a large file in order and yields to other work', async () => {
  const turns = countTurns()
  const rows = Array.from({ length: 10_000 }, (_, i) => `row ${i}`)
  const seen = await mapInTurns(rows, (row, index) => [row, index])
  expect(seen).toEqual(rows.map((row, index) => [row, index]))
  expect(turns()).toBeGreaterThanOrEqual(40)
})
