import type { ReactNode } from 'react'
import type { ListColumn } from './use-columns.tsx'

/** Further properties of a column. */
type Options<Row> = Partial<Omit<ListColumn<Row>, 'key' | 'header' | 'render'>>

/**
 * Returns two functions that create the columns of a table: `column` renders anything, `text` shows a field of the
 * row.
 * @param headers header text of each column, by its key
 */
export function columnsOf<Row extends object, Key extends string>(headers: Record<Key, string>) {
  const column = (
    key: Key,
    render: (row: Row) => ReactNode,
    options: Options<Row> = {},
  ): ListColumn<Row> => ({ key, header: headers[key], render, ...options })
  return {
    column,
    /**
     * Creates a column that shows the field of the row with the same key. Shows nothing unless it is text or
     * a number.
     */
    text: (key: Key & keyof Row, options: Options<Row> = {}) =>
      column(
        key,
        (row) => {
          const value: unknown = row[key]
          return typeof value === 'string' || typeof value === 'number' ? value : null
        },
        options,
      ),
  }
}

/** Returns the day of a time on the wire: YYYY-MM-DD (rules/wire#times). */
export const dayOf = (moment: string) => moment.slice(0, 10)

/** Returns a time on the wire without its seconds: YYYY-MM-DD HH:mm. */
export const minuteOf = (moment: string) => moment.slice(0, 16)

/** Formats 9 to 11 digits as a phone number: 010-1234-5678, 02-123-4567. Returns any other text unchanged. */
export function formatPhone(phone: string): string {
  return phone.replace(/^(02|\d{3})(\d{3,4})(\d{4})$/, '$1-$2-$3')
}
