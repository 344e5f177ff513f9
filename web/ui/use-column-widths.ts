import { useLayoutEffect, useRef, useState } from 'react'
import { type ColumnSize, fitColumns } from './fit-columns.ts'

/** Column widths that the user set, by column key. */
export type Widths = Readonly<Record<string, number>>

/** The parts of a `DataColumn` on which its width depends. */
interface Measured {
  key: string
  header: string
  wraps?: true | 'words' | undefined
  share?: number | undefined
  width?: string | number | undefined
  isFixed?: boolean | undefined
}

/** The share of its natural width that a column of long content keeps before the table scrolls sideways. */
const LEAST_SHARE = 0.6
/** Minimum width of a column in pixels, if its content needs that much. */
const LEAST = 88
/** Pixels beyond which a natural width does not raise the minimum of its column. */
const LONG = 460

/** Returns the widths of the cells of a row, in whole pixels. */
const cellsOf = (row: HTMLTableRowElement | undefined) =>
  Array.from(row?.cells ?? [], (cell) => Math.ceil(cell.getBoundingClientRect().width))

/** Width of a header on two lines, as a share of its width on one line. */
const HALF = 0.6
/** Width of a header without its text, in pixels: the padding and the sort arrow. */
const AROUND = 44

/**
 * Returns the estimated width of a header on two lines.
 * @param line its width on one line
 */
const twoLinesOf = (line: number) => Math.min(line, AROUND + (line - AROUND) * HALF)

/** Measures the columns: the width of the rows on one line each, and of the headers on one line and on two. */
function measure(table: HTMLTableElement): { rows: number[]; lines: number[]; heads: number[] } {
  const measured = (part: 'rows' | 'heads' | 'words', row: HTMLTableRowElement | undefined) => {
    table.dataset['measured'] = part
    return cellsOf(row)
  }
  const rows = measured('rows', table.tBodies[0]?.rows[0])
  const lines = measured('heads', table.tHead?.rows[0])
  const words = measured('words', table.tHead?.rows[0])
  delete table.dataset['measured']
  return { rows, lines, heads: words.map((width, index) => Math.max(width, twoLinesOf(lines[index] ?? 0))) }
}

/** Estimates the width of a column that has no rows yet. */
function guess({ width }: Measured): ColumnSize {
  const natural = typeof width === 'number' ? width : 130
  return { natural, least: natural * LEAST_SHARE }
}

/**
 * Computes column widths in pixels from the content (rules/lists#widths). Paging does not change the layout unless
 * longer content appears: a column never becomes narrower.
 * @param rows the columns are measured again when these change
 * @param set widths that the user set
 * @returns the refs of `frame` and `table`, which the caller must attach; the width of the frame (`room`, 0 at first);
 * and `widths`, undefined until the frame is measured
 */
export function useColumnWidths(columns: readonly Measured[], rows: readonly unknown[], set: Widths) {
  const frame = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const [room, setRoom] = useState(0)
  const [sizes, setSizes] = useState<{ of: string; list: readonly ColumnSize[] }>()
  const of = columns.map(({ key, header }) => `${key} ${header}`).join('|')

  useLayoutEffect(() => {
    const box = frame.current
    if (box === null) return
    const measureRoom = () => setRoom(box.clientWidth)
    measureRoom()
    const observer = new ResizeObserver(measureRoom)
    observer.observe(box)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    if (table.current === null || rows.length === 0) return
    const found = measure(table.current)
    // While the table shows a state (empty, failed), it has no rows to measure.
    if (found.rows.length !== found.heads.length) return
    setSizes((known) => {
      const before = known?.of === of ? known.list : undefined
      const list = found.rows.map((width, index): ColumnSize => {
        const head = found.heads[index] ?? 0
        const natural = Math.max(width, head, before?.[index]?.natural ?? 0)
        const { wraps, share = wraps ? 0.55 : LEAST_SHARE } = columns[index] ?? {}
        const least = Math.max(head, LEAST, Math.min(natural, LONG) * share)
        return { natural, least, roomy: Math.max(natural, found.lines[index] ?? 0) }
      })
      const isSame = before?.every(({ natural }, index) => natural === list[index]?.natural) === true
      return isSame ? known : { of, list }
    })
    // Columns with the same keys are the same columns.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [of, rows])

  const list = sizes?.of === of ? sizes.list : undefined
  const wanted = list ?? columns.map(guess)
  const widths = fitColumns(
    wanted.map((size, index) => {
      const { key = '', width, isFixed } = columns[index] ?? {}
      return { ...size, set: set[key] ?? (isFixed === true && typeof width === 'number' ? width : undefined) }
    }),
    room,
  )
  return { frame, table, widths: room > 0 ? widths : undefined, room }
}
