/**
 * The start of a cell that a spreadsheet may read as a formula: a sign, also in full width, a tab or a line end.
 * `safeCell` protects it.
 */
const START = /^(?=[=+\-@\t\r\n＝＋－＠])/
/**
 * The same positions in CSV. A spreadsheet whose separator is `;` or a tab reads the text after it as a new cell, even inside
 * quotes that do not start the cell.
 */
const PART_START = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g
/** The apostrophes that `safeCell` and `safeCsvCell` add. */
const GUARD = /^'(?=[\t\r\n])|(?<=^|[;\t\r\n])'(?=[=+\-@＝＋－＠])/g

/**
 * Puts an apostrophe in front of a text that a spreadsheet could read as a formula (rules/lists#formulas).
 * Returns any other text unchanged.
 */
export const safeCell = (text: string): string => text.replace(START, "'")

/**
 * Puts an apostrophe in front of each part of a text that a spreadsheet could read as a formula in CSV. Every
 * cell must be quoted as well.
 */
export const safeCsvCell = (text: string): string => text.replaceAll(PART_START, "'")

/**
 * Removes the apostrophes that `safeCell` and `safeCsvCell` add. An apostrophe that the user typed in such a position is removed,
 * too.
 */
export const withoutGuards = (text: string): string => text.replaceAll(GUARD, '')
