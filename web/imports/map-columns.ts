import * as z from 'zod/mini'
import { readStorage } from '../read-storage.ts'

/** The column of the import that each column of a file fills, by its place in the file. Other columns are ignored. */
export type ColumnMap<Column extends string> = readonly (Column | undefined)[]

/** A question about the columns of a file. */
export interface ColumnQuestion<Column extends string> {
  titles: readonly string[]
  /** The first value of each column. */
  samples: readonly string[]
  /** The proposed answer. */
  columns: ColumnMap<Column>
  /** The columns of the import. */
  choices: readonly Column[]
  required: readonly Column[]
}

/** The user's answer. */
export interface ColumnAnswer<Column extends string> {
  columns: ColumnMap<Column>
  /** Values of required columns that the file lacks, for every row. */
  shared: Partial<Record<Column, string>>
}

/** The treatment of files whose headings an import does not know. */
export interface ColumnMapping<Column extends string> {
  /** Columns by other usual headings, as `plainHeading` returns them. */
  synonyms: ReadonlyMap<string, Column>
  /** Storage key of the answers. */
  storageKey: string
  /** Asks the user. Returns null if the user cancels. */
  ask: (question: ColumnQuestion<Column>) => Promise<ColumnAnswer<Column> | null>
}

/** Number of files with different headings whose answers are stored. */
const STORED_ANSWERS = 10

const answers = z.array(z.object({ titles: z.array(z.string()), columns: z.array(z.nullable(z.string())) }))

/** Returns a heading in lower case without blanks, punctuation and remarks in parentheses. */
export const plainHeading = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[(（[][^()（）[\]]*[)）\]]/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * Proposes a column for every heading that an import does not know. A column that an earlier heading fills is not
 * proposed again.
 */
export function guessColumns<Column extends string>(
  titles: readonly string[],
  known: ColumnMap<Column>,
  synonyms: ReadonlyMap<string, Column>,
): ColumnMap<Column> {
  const filled = new Set(known)
  const first = known.map((column, index) => (known.indexOf(column) === index ? column : undefined))
  return first.map((column, index) => {
    if (known[index] !== undefined) return column
    const guessed = synonyms.get(plainHeading(titles[index] ?? ''))
    if (guessed === undefined || filled.has(guessed)) return undefined
    filled.add(guessed)
    return guessed
  })
}

/** Returns the stored answer for a file with the same headings. */
export function readAnswer<Column extends string>(
  storageKey: string,
  titles: readonly string[],
  columns: readonly Column[],
): ColumnMap<Column> | undefined {
  const stored = readStorage(localStorage, storageKey, answers)?.find((answer) =>
    isSame(answer.titles, titles),
  )
  return stored && titles.map((_, index) => columns.find((column) => column === stored.columns[index]))
}

/** Stores an answer in this browser for the next file with the same headings. Values of the file are not stored. */
export function storeAnswer<Column extends string>(
  storageKey: string,
  titles: readonly string[],
  columns: ColumnMap<Column>,
): void {
  const others = (readStorage(localStorage, storageKey, answers) ?? []).filter(
    (answer) => !isSame(answer.titles, titles),
  )
  const stored = [{ titles, columns: columns.map((column) => column ?? null) }, ...others]
  localStorage.setItem(storageKey, JSON.stringify(stored.slice(0, STORED_ANSWERS)))
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((title, index) => title === other[index])
