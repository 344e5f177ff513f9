/**
 * Splits the rows of a file into those without errors (`good`) and those with errors (`wrong`).
 * @param errors the errors of all rows; `row` counts from 1
 */
export function splitRows<Row>(rows: readonly Row[], errors: readonly { row: number }[]) {
  const wrongRows = new Set(errors.map(({ row }) => row))
  return {
    good: rows.filter((_, index) => !wrongRows.has(index + 1)),
    wrong: rows.filter((_, index) => wrongRows.has(index + 1)),
  }
}

/**
 * Returns the rows that have errors as a table with headings, whose last column has the messages with their columns.
 * The import ignores that column, so the user can import the corrected file as it is.
 * @param heading of the last column
 */
export function tableOfWrong<Column extends string>(
  rows: readonly (Partial<Record<Column, string>> & { line: number })[],
  errors: readonly { row: number; field: Column; message: string }[],
  headings: Readonly<Record<Column, string>>,
  heading: string,
): string[][] {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'line') as Column[]
  const lines = rows.flatMap((row, index) => {
    const messages = errors
      .filter((error) => error.row === index + 1)
      .map(({ field, message }) => `${headings[field]}: ${message}`)
    return messages.length === 0 ? [] : [[...columns.map((column) => row[column] ?? ''), messages.join(' ')]]
  })
  return [[...columns.map((column) => headings[column]), heading], ...lines]
}
