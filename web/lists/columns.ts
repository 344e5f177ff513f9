import type { ReactNode } from 'react'
import type { ListColumn } from './use-columns.tsx'

type Options<Row> = Partial<Omit<ListColumn<Row>, 'key' | 'header' | 'render'>>

/**
 * Makes the columns of a table.
 * @param headers their names in the catalogue
 */
export function columnsOf<Row extends object, Key extends string>(headers: Record<Key, string>) {
  const column = (
    key: Key,
    render: (row: Row) => ReactNode,
    options: Options<Row> = {},
  ): ListColumn<Row> => ({ key, header: headers[key], render, ...options })
  return {
    column,
    /** A column that shows what the row calls by its key: a text or a number. */
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

/** 'YYYY-MM-DD HH:mm:ss' (rules/wire#times) as its day. */
export const dayOf = (moment: string) => moment.slice(0, 10)

/** The same without its seconds. */
export const minuteOf = (moment: string) => moment.slice(0, 16)

/** 01012345678 as people write it; anything else as it is. */
export function hyphenated(phone: string): string {
  return phone.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2-$3')
}
