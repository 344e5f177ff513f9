import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse, Refusal } from '../../contract/errors.ts'
import type { Messages } from '../../contract/messages/ko.ts'
import { validationText } from '../../contract/validation.ts'
import { DEADLOCK } from '../db/constraints.ts'

/** As many errors of a file as a person can take in; the count says how many there are in all. */
export const ERRORS_SHOWN = 1000

/** So many rows are looked at in some milliseconds. */
const ROWS_AT_ONCE = 200

/** Like `map` over the rows of a file, of which there may be ten thousand: other calls have their turns in between. */
export async function mapInTurns<T, R>(rows: readonly T[], look: (row: T, index: number) => R): Promise<R[]> {
  const seen: R[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn()
    seen.push(look(row, index))
  }
  return seen
}

/** What is wrong with a cell; rows count from 1. */
export interface CellError<Column extends string> {
  row: number
  field: Column
  message: string
}

/** What is wrong with a row, cell by cell: the first thing that is wrong with a cell is enough. */
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
    /** What a schema says of the row. */
    takeIssues(issues: readonly { path: PropertyKey[]; message: string }[] = []): void {
      for (const { path, message } of issues) {
        const field = columns.find((column) => column === path[0])
        if (field !== undefined) wrong(field, validationText(messages, message))
      }
    },
    /** In the order of the columns. @param row counts from 1 */
    list: (row: number): CellError<Column>[] =>
      columns.flatMap((field) => {
        const message = own.get(field)
        return message === undefined ? [] : [{ row, field, message }]
      }),
  }
}

/** What a second row of the same is told: where the person finds the first. @param number counts from 1 */
export const placeOf = (
  words: { twice: (row: number) => string; twiceInFile: (line: number) => string },
  line: number | undefined,
  number: number,
): string => (line === undefined ? words.twice(number) : words.twiceInFile(line))

/** How names are compared: a file may be written in any case (rules/users#import). */
export const nameKey = (name: string) => name.trim().toLowerCase()

/**
 * Codes by code and by name in either language: a file may have come from somebody who reads the other. What two of them are
 * called is null: it says neither.
 */
export function byNames(
  list: readonly { code: string; name_ko: string; name_en: string }[],
): Map<string, string | null> {
  const found = new Map<string, string | null>()
  for (const { code, name_ko, name_en } of list) {
    for (const key of new Set([nameKey(name_ko), nameKey(name_en)]))
      found.set(key, found.has(key) ? null : code)
  }
  // A code is one alone, whatever the others are called.
  for (const { code } of list) found.set(nameKey(code), code)
  return found
}

/** What is wrong with a name or code that a file gives, by what `byNames` found for it; undefined: nothing. */
export function nameFault(found: string | null | undefined, messages: Messages): string | undefined {
  if (found === null) return messages.imports.ambiguous
  return found === undefined ? messages.errors.CODE_NOT_FOUND : undefined
}

/** Of many rows it is all or nothing: which row it was the next dry run says. @throws {Refusal} IMPORT_INVALID */
export async function allOrNone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal || (error as { code?: unknown }).code === DEADLOCK) refuse('IMPORT_INVALID')
    throw error
  }
}
