import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse, Refusal } from '../../../contract/errors.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
import { validationText } from '../../../contract/validation.ts'
import { DEADLOCK } from '../../db/constraints.ts'

/** Most errors of a file that are listed. The count states the total. */
export const ERRORS_SHOWN = 1000

/** Rows between two pauses. Checking this many takes some milliseconds. */
const ROWS_AT_ONCE = 200

/** Maps the rows of a file in order. Lets other calls run after every ROWS_AT_ONCE rows. */
export async function mapInTurns<T, R>(rows: readonly T[], look: (row: T, index: number) => R): Promise<R[]> {
  const seen: R[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn()
    seen.push(look(row, index))
  }
  return seen
}

/** An error in a cell; rows count from 1. */
export interface CellError<Column extends string> {
  row: number
  field: Column
  message: string
}

/** Creates the collector of a row's errors. It stores the first error of each cell. */
export function rowErrors<Column extends string>(columns: readonly Column[], messages: Messages) {
  const own = new Map<Column, string>()
  const wrong = (field: Column, message: string): void => {
    if (!own.has(field)) own.set(field, message)
  }
  return {
    wrong,
    has: (field: Column) => own.has(field),
    get isGood() {
      return own.size === 0
    },
    /** Adds the issues that a schema found in the row. */
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
 * Returns the error text of a repeated row, which states the number or line of the first one.
 * @param line line of the first row in the file; undefined if the rows have no file
 * @param number number of the first row, from 1
 */
export const placeOf = (
  words: { twice: (row: number) => string; twiceInFile: (line: number) => string },
  line: number | undefined,
  number: number,
): string => (line === undefined ? words.twice(number) : words.twiceInFile(line))

/** Returns the form in which names are compared: a file may use any case (rules/users#import). */
export const nameKey = (name: string) => name.trim().toLowerCase()

/**
 * Returns the code for each name or code in lower case. Names in both languages count, because the author of a file may
 * use the other language. A name of two codes maps to null, because it is ambiguous.
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

/** Returns the error text for a name or code of a file, from the result of `byNames`; undefined if it is valid. */
export function nameFault(found: string | null | undefined, messages: Messages): string | undefined {
  if (found === null) return messages.imports.ambiguous
  return found === undefined ? messages.errors.CODE_NOT_FOUND : undefined
}

/**
 * Runs the writes of an import inside the transaction of the caller. The next check of the file shows which row failed.
 * @throws {Refusal} IMPORT_INVALID instead of any refusal or a deadlock, so that the transaction rolls back all rows
 */
export async function allOrNone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal || (error as { code?: unknown }).code === DEADLOCK) refuse('IMPORT_INVALID')
    throw error
  }
}
