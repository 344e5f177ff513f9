import { rowsToChange } from '../../lists/range.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import type { DataColumn } from '../../ui/data-table.tsx'

/** The selection of table rows by checkboxes, with its texts. */
export interface RowSelection<Row> {
  /** The selectable rows. */
  rows: readonly Row[]
  idOf: (row: Row) => string
  chosenIds: ReadonlySet<string>
  /** Called with the IDs of all selected rows after a change. The header passes only those of `rows`, or none. */
  choose: (ids: ReadonlySet<string>) => void
  texts: { select: string; all: string; one: (row: Row) => string }
}

/**
 * Returns a table column of checkboxes, with one in its header for all, which is disabled without `rows`. Shift+click
 * also changes the rows since the last click. Rows that are not in `rows` have no checkbox.
 */
export function checkboxColumn<Row>({
  rows,
  idOf,
  chosenIds,
  choose,
  texts,
}: RowSelection<Row>): DataColumn<Row> {
  const all = rows.map(idOf)
  const ids = new Set(all)
  const count = rows.filter((row) => chosenIds.has(idOf(row))).length
  const toggle = (changed: readonly string[], isChosen: boolean) => {
    const others = [...chosenIds].filter((id) => !changed.includes(id))
    choose(new Set(isChosen ? [...others, ...changed] : others))
  }
  return {
    key: 'select',
    header: texts.select,
    headerContent: (
      <Checkbox
        label={texts.all}
        isLabelHidden
        isDisabled={rows.length === 0}
        value={count > 0 && count === rows.length}
        isMixed={count > 0 && count < rows.length}
        onChange={(isChosen) => choose(isChosen ? ids : new Set())}
      />
    ),
    render: (row) =>
      ids.has(idOf(row)) && (
        <Checkbox
          label={texts.one(row)}
          isLabelHidden
          value={chosenIds.has(idOf(row))}
          onChange={(isChosen, isRange) => toggle(rowsToChange(all, idOf(row), isRange), isChosen)}
        />
      ),
    width: 52,
    align: 'center',
  }
}
