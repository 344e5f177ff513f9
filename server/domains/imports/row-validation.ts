import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse, Refusal } from '../../../contract/errors.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
import { validationText } from '../../../contract/validation.ts'
import { DEADLOCK } from '../../db/constraints.ts'

/** Number of errors of a file that are listed at most. The count states the total. */
export const ERRORS_SHOWN = 1000

/** Rows between two pauses. Checking this many takes some milliseconds. */
const ROWS_AT_ONCE = 200

/**
 * Maps the rows of a file in order, as `Array.map`. Pauses after every ROWS_AT_ONCE rows, so that other calls can
 * run.
 */
export async function mapInTurns<T, R>(rows: readonly T[], look: (row: T, index: number) => R): Promise<R[]> {
  const seen: R[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn()
    seen.push(look(row, index))
  }
  return seen
}

/** An error in a cell: row from 1 (without the header), column, and the text for the user. */
export interface CellError<Column extends string> {
  row: number
  field: Column
  message: string
}

/**
 * Creates the collector of one row's errors. It keeps the first error of each cell; later ones of the cell are
 * ignored.
 * @param columns the columns in the order in which errors are listed
 */
export function rowErrors<Column extends string>(columns: readonly Column[], messages: Messages) {
  const own = new Map<Column, string>()
  /** Adds an error of a cell, unless the cell has one. */
  const wrong = (field: Column, message: string): void => {
    if (!own.has(field)) own.set(field, message)
  }
  return {
    wrong,
    has: (field: Column) => own.has(field),
    get isGood() {
      return own.size === 0
    },
    /** Adds the issues that a schema found in the row, as texts. Ignores issues of other fields than `columns`. */
    takeIssues(issues: readonly { path: PropertyKey[]; message: string }[] = []): void {
      for (const { path, message } of issues) {
        const field = columns.find((column) => column === path[0])
        if (field !== undefined) wrong(field, validationText(messages, message))
      }
    },
    /** Returns the errors in the order of the columns. @param row counts from 1 */
    list: (row: number): CellError<Column>[] =>
      columns.flatMap((field) => {
        const message = own.get(field)
        return message === undefined ? [] : [{ row, field, message }]
      }),
  }
}

/**
 * Returns the error text of a row that repeats an earlier one. It states the line of that row in the file, or its
 * number if the rows have no file.
 * @param line line of the earlier row in the file; undefined if the rows have no file
 * @param number number of the earlier row, from 1
 */
export const placeOf = (
  words: { twice: (row: number) => string; twiceInFile: (line: number) => string },
  line: number | undefined,
  number: number,
): string => (line === undefined ? words.twice(number) : words.twiceInFile(line))

/**
 * Returns the form in which names are compared: without blanks at the ends and in lower case, because a file may
 * use any case (rules/users#import).
 */
export const nameKey = (name: string) => name.trim().toLowerCase()

/**
 * Maps each name (Korean and English) and each code of a list, as `nameKey`, to its code. A name that several
 * codes have maps to null, because it is ambiguous. A code always maps to itself, even if it is also a name.
 */
export function byNames(
  list: readonly { code: string; nameKo: string; nameEn: string }[],
): Map<string, string | null> {
  const found = new Map<string, string | null>()
  for (const { code, nameKo, nameEn } of list) {
    for (const key of new Set([nameKey(nameKo), nameKey(nameEn)]))
      found.set(key, found.has(key) ? null : code)
  }
  // A code is unique, even if it is also the name of other codes.
  for (const { code } of list) found.set(nameKey(code), code)
  return found
}

/**
 * Returns the error text for a name or code of a file.
 * @param found what the map of `byNames` has for it: null is ambiguous, undefined is unknown
 * @returns undefined if it is valid
 */
export function nameFault(found: string | null | undefined, messages: Messages): string | undefined {
  if (found === null) return messages.imports.ambiguous
  return found === undefined ? messages.errors.CODE_NOT_FOUND : undefined
}

/**
 * Runs the writes of an import inside the transaction of the caller. The user then checks the file again, which
 * shows the row that failed.
 * @returns the result of `work`
 * @throws {Refusal} IMPORT_INVALID instead of any refusal or a deadlock, so that the transaction rolls back all
 * rows. Other errors stay
 */
export async function allOrNone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal || (error as { code?: unknown }).code === DEADLOCK) refuse('IMPORT_INVALID')
    throw error
  }
}
