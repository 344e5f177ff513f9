import { expect, test } from 'vitest'
import { fitColumns } from './fit-columns.ts'

const column = (natural: number, least = natural / 2, set?: number) => ({ natural, least, set })
const rounded = (widths: number[]) => widths.map(Math.round)

test('gives columns the width their content needs and shares out the rest (rules/lists#widths)', () => {
  expect(rounded(fitColumns([column(60), column(164), column(264)], 788))).toEqual([60, 264, 464])
  expect(rounded(fitColumns([column(50), column(60)], 200))).toEqual([50, 150])
})

test('shrinks the widest columns first, to their minimum, before it scrolls (rules/lists#widths)', () => {
  expect(rounded(fitColumns([column(60), column(200), column(400)], 500))).toEqual([60, 200, 240])
  expect(rounded(fitColumns([column(120), column(400), column(800)], 800))).toEqual([120, 280, 400])
  expect(rounded(fitColumns([column(60), column(200), column(400)], 100))).toEqual([60, 200, 320])
})

test('truncates nothing as short as a day on a phone: the table scrolls (rules/lists#widths)', () => {
  expect(rounded(fitColumns([column(60), column(170, 88), column(160, 88), column(120, 88)], 370))).toEqual([
    60, 170, 160, 120,
  ])
})

test('gives headers one line if all fit, and two before anything else shrinks (rules/lists#widths)', () => {
  const columns = [column(60), { ...column(100), roomy: 140 }, { ...column(200), roomy: 220 }]
  expect(rounded(fitColumns(columns, 420))).toEqual([60, 140, 220])
  expect(rounded(fitColumns(columns, 400))).toEqual([60, 108, 232])
})

test('keeps a width that the user chose, whatever the others need (rules/lists#widths)', () => {
  expect(rounded(fitColumns([column(60), column(200, 100, 320), column(400)], 600))).toEqual([60, 320, 220])
  expect(rounded(fitColumns([column(60), column(200, 100, 80), column(164)], 400))).toEqual([60, 80, 260])
})
