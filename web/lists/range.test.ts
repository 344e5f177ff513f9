import { describe, expect, it } from 'vitest'
import { rowsToChange } from './range.ts'

const ROWS = ['a', 'b', 'c', 'd']

describe('rowsToChange (rules/lists#selection)', () => {
  it('returns the rows between two clicks in either direction, with Shift alone', () => {
    expect(rowsToChange(ROWS, 'b', false)).toEqual(['b'])
    expect(rowsToChange(ROWS, 'd', true)).toEqual(['b', 'c', 'd'])
    expect(rowsToChange(ROWS, 'a', true)).toEqual(['a', 'b', 'c', 'd'])
    expect(rowsToChange(ROWS, 'c', false)).toEqual(['c'])
  })

  it('returns the row alone on another page', () => {
    rowsToChange(ROWS, 'a', false)
    expect(rowsToChange(['a', 'x', 'y'], 'y', true)).toEqual(['y'])
  })
})
