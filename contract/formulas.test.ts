import { describe, expect, it } from 'vitest'
import { safeCell, safeCsvCell, withoutGuards } from './formulas.ts'

describe('safeCsvCell (rules/lists#formulas)', () => {
  it.each([
    ['=1+1', `'=1+1`],
    [`x;=cmd|'/C calc'!A0`, `x;'=cmd|'/C calc'!A0`],
    ['x\n@a\t+b\r\n＝c', `x\n'@a\t'+b\r\n'＝c`],
    ['\tx', `'\tx`],
    ['\t=x', `'\t'=x`],
    ['a-b=c; d', 'a-b=c; d'],
  ])('makes %j to %j', (text, safe) => {
    expect(safeCsvCell(text)).toBe(safe)
  })

  it.each(['=1+1', 'x;=1', 'a;-b;@c', '010-1234-5678', `it's;'fine`, '\tx', '\r\nx', '\t=x', 'a\n=b'])(
    'is undone by withoutGuards: %j',
    (text) => {
      expect(withoutGuards(safeCsvCell(text))).toBe(text)
      expect(withoutGuards(safeCell(text))).toBe(text)
    },
  )
})
