/** The position at which a spreadsheet starts to read a formula: the start of a cell. Full-width signs count too. */
const START = /^(?=[=+\-@\t\r\n＝＋－＠])/
/**
 * The same positions in CSV. A spreadsheet whose separator is `;` or a tab reads the text after it as a new cell, even inside
 * quotes that do not start the cell.
 */
const PART_START = /^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g
const GUARDED_START = /(^|[;\t\r\n])'(?=[=+\-@＝＋－＠])/g

/** Returns a text that no spreadsheet reads as a formula: with an apostrophe in front (rules/lists#formulas). */
export const safeCell = (text: string): string => text.replace(START, "'")

/**
 * Returns a text that no spreadsheet reads as a formula in CSV, with an apostrophe in each part. Every cell must be quoted as well.
 */
export const safeCsvCell = (text: string): string => text.replaceAll(PART_START, "$&'")

/** Removes the apostrophes that `safeCell` and `safeCsvCell` add. */
export const withoutGuards = (text: string): string => text.replaceAll(GUARDED_START, '$1')
