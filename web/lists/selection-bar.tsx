import type { ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import layout from '../ui/layout.module.css'
import styles from './selection-bar.module.css'
import { rowsToChange } from './range.ts'
import type { ListColumn } from './use-columns.tsx'
import type { Selection } from './use-selection.ts'

/** ID and name of the rows that can be selected. */
interface RowTexts<Row> {
  idOf: (row: Row) => string
  /** Returns the name of a row for its checkbox. */
  nameOf: (row: Row) => string
  /** Returns whether a row can be selected; all rows can by default. */
  isSelectable?: (row: Row) => boolean
}

/**
 * Returns the columns with checkboxes in the column `rowNumber`: one per row, and one in the header for all rows of the
 * page. They change the selection. Shift+click also changes the rows since the last click.
 */
export function useSelectable<Row>(
  columns: ListColumn<Row>[],
  rows: readonly Row[],
  { isChosen, choose }: Pick<Selection, 'isChosen' | 'choose'>,
  { idOf, nameOf, isSelectable = () => true }: RowTexts<Row>,
): ListColumn<Row>[] {
  const t = usePortalMessages().lists.selection
  const ids = rows.filter(isSelectable).map(idOf)
  const count = ids.filter(isChosen).length
  const withBox = (column: ListColumn<Row>): ListColumn<Row> => ({
    ...column,
    width: 104,
    align: 'left',
    headerContent: (
      <span className={layout.row}>
        <Checkbox
          label={t.page}
          isLabelHidden
          value={count > 0 && count === ids.length}
          isMixed={count > 0 && count < ids.length}
          isDisabled={ids.length === 0}
          onChange={(isWanted) => choose(ids, isWanted)}
        />
        {column.header}
      </span>
    ),
    render: (row) => (
      <span className={layout.row}>
        <Checkbox
          label={t.row(nameOf(row))}
          isLabelHidden
          value={isChosen(idOf(row))}
          isDisabled={!isSelectable(row)}
          onChange={(isWanted, isRange) => choose(rowsToChange(ids, idOf(row), isRange), isWanted)}
        />
        {column.render(row)}
      </span>
    ),
  })
  return columns.map((column) => (column.key === 'rowNumber' ? withBox(column) : column))
}

interface Props {
  selection: Pick<Selection, 'count' | 'isAll' | 'chooseAll' | 'clear'>
  /** Number of results that can be selected together; undefined if they cannot. */
  total?: number
  texts: { chosen: (count: string) => string; all?: (count: string) => string }
  /** Called when the user clears the selection, before the bar disappears, so that the keyboard focus can move elsewhere. */
  onGone: () => void
  /** The actions. */
  children: ReactNode
}

/**
 * Shows the number of selected rows, buttons that select all results or none, and the actions in `children`
 * (rules/lists#selection).
 */
export function SelectionBar({ selection, total = 0, texts, onGone, children }: Props) {
  const t = usePortalMessages().lists.selection
  const { count, isAll, chooseAll, clear } = selection
  return (
    <>
      <output>
        <b>{texts.chosen(count.toLocaleString())}</b>
      </output>
      {texts.all && !isAll && count < total && (
        <Button size="small" variant="quiet" onClick={chooseAll}>
          {texts.all(total.toLocaleString())}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        className={styles.clear}
        onClick={() => {
          clear()
          onGone()
        }}
      >
        {t.clear}
      </Button>
      {children}
    </>
  )
}
