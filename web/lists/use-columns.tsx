import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { readStorage } from '../read-storage.ts'
import { usePortalMessages } from '../language.tsx'
import { ColumnChooser } from '../ui/column-chooser.tsx'
import type { DataColumn } from '../ui/data-table.tsx'
import { showToast } from '../ui/toasts.ts'

/** A column that a person may hide or show. */
export interface ListColumn<Row> extends DataColumn<Row> {
  /** Always shown. */
  isRequired?: boolean | undefined
  /** Hidden until somebody chooses it. */
  isExtra?: boolean | undefined
}

/** What a person changed: key → shown. What nobody touched follows the list's own columns. */
const choices = z.record(z.string(), z.boolean())

/**
 * The columns that a person chose for a list, remembered by this browser, and the button to choose them with.
 * @param list names the list in the browser's storage
 */
export function useColumnChoice<Row>(
  list: string,
  all: readonly ListColumn<Row>[],
): { columns: ListColumn<Row>[]; chooser: ReactNode } {
  const { lists } = usePortalMessages()
  const key = `columns_${list}`
  const [choice, setChoice] = useState(() => readStorage(localStorage, key, choices) ?? {})
  const isShown = (column: ListColumn<Row>) =>
    column.isRequired === true || (choice[column.key] ?? column.isExtra !== true)

  function change(next: z.output<typeof choices>): void {
    setChoice(next)
    if (Object.keys(next).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  }

  return {
    columns: all.filter(isShown),
    chooser: (
      <ColumnChooser
        label={lists.columns}
        columns={all.map((column) => ({ ...column, isShown: isShown(column) }))}
        onChange={(name, shown) => change({ ...choice, [name]: shown })}
        resetLabel={lists.resetColumns}
        onReset={() => {
          if (Object.keys(choice).length === 0) return
          change({})
          showToast(lists.columnsReset, () => change(choice))
        }}
      />
    ),
  }
}
