/** The rows of the list in which a checkbox was clicked last, and that row. A click in other rows ends the range. */
let last = { rows: '', id: '' }

/**
 * Returns the rows that a click on a row's checkbox changes: with Shift, those from the last click in the same rows to
 * this one (rules/lists#selection), otherwise the row itself. Remembers the click.
 * @param ids the selectable rows in their order
 * @param id the clicked row
 */
export function rowsToChange(ids: readonly string[], id: string, isRange: boolean): readonly string[] {
  const rows = ids.join(' ')
  const from = last.rows === rows ? ids.indexOf(last.id) : -1
  const to = ids.indexOf(id)
  last = { rows, id }
  return isRange && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
}
