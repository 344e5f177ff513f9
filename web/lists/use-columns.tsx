import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { usePortalMessages } from '../language.tsx'
import { ColumnChooser } from '../ui/column-chooser.tsx'
import type { DataColumn } from '../ui/data-table.tsx'
import { useStoredChoices } from './use-stored-choices.ts'

/** A column that the user may hide or show. */
export interface ListColumn<Row> extends DataColumn<Row> {
  /** True if the column is always shown. */
  isRequired?: boolean | undefined
  /** True if the column is hidden until the user shows it. */
  isExtra?: boolean | undefined
}

/** Whether a column is shown, by key, for the columns that the user has changed. */
const shownColumns = z.record(z.string(), z.boolean())

/**
 * Returns the columns of a list that the user has chosen in this browser, and the button that changes the choice.
 * @param list name of the list in the storage key
 * @param all all columns, in their order
 */
export function useColumnChoice<Row>(
  list: string,
  all: readonly ListColumn<Row>[],
): { columns: ListColumn<Row>[]; chooser: ReactNode } {
  const { lists } = usePortalMessages()
  const { choices, change, reset } = useStoredChoices(`columns_${list}`, shownColumns, lists.columnsReset)
  const isShown = (column: ListColumn<Row>) =>
    column.isRequired === true || (choices[column.key] ?? column.isExtra !== true)

  return {
    columns: all.filter(isShown),
    chooser: (
      <ColumnChooser
        label={lists.columns}
        columns={all.map((column) => ({ ...column, isShown: isShown(column) }))}
        onChange={(name, shown) => change({ ...choices, [name]: shown })}
        resetLabel={lists.resetColumns}
        onReset={reset}
      />
    ),
  }
}
