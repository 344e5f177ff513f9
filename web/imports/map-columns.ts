import * as z from 'zod/mini'
import { readStorage } from '../read-storage.ts'

/** The column of the import that each column of a file fills, by its place in the file. Other columns are ignored. */
export type ColumnMap<Column extends string> = readonly (Column | undefined)[]

/** The places in the file of columns that fill a further column of the import: 사번 may be 아이디 too. */
export type Copies<Column extends string> = Partial<Record<Column, number>>

/** A question about the columns of a file. */
export interface ColumnQuestion<Column extends string> {
  titles: readonly string[]
  /** The first value of each column. */
  samples: readonly string[]
  /** The proposed answer. */
  columns: ColumnMap<Column>
  copies: Copies<Column>
  /** The columns of the import. */
  choices: readonly Column[]
  required: readonly Column[]
}

/** The user's answer. */
export interface ColumnAnswer<Column extends string> {
  columns: ColumnMap<Column>
  copies: Copies<Column>
  /** Values of required columns that the file lacks, for every row. */
  shared: Partial<Record<Column, string>>
}

/** The treatment of files whose headings an import does not know. */
export interface ColumnMapping<Column extends string> {
  /** Columns by other usual headings, as `plainHeading` returns them. */
  synonyms: ReadonlyMap<string, Column>
  /** Names that the values of a column have. They recognize it whatever its heading. */
  named: { column: Column; names: ReadonlySet<string> }
  /** Storage key of the answers. */
  storageKey: string
  /** Asks the user. Returns null if the user cancels. */
  ask: (question: ColumnQuestion<Column>) => Promise<ColumnAnswer<Column> | null>
}

/** Number of files with different headings whose answers are stored. */
const STORED_ANSWERS = 10

/** Schema of the stored answers, newest first. */
const answers = z.array(
  z.object({
    titles: z.array(z.string()),
    columns: z.array(z.nullable(z.string())),
    copies: z.optional(z.record(z.string(), z.number())),
  }),
)

/** Returns a heading in lower case without blanks, punctuation and remarks in parentheses. */
export const plainHeading = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[(（[][^()（）[\]]*[)）\]]/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * Proposes a column for each heading of a file: the known one at its first occurrence, otherwise one by its
 * synonyms. Proposes no column twice; undefined means to ignore the heading.
 * @param known the column for each heading that is a name of one, undefined for others
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

/**
 * Returns whether more than half of the values that are not empty are among the names, in any case; false without
 * values.
 * @param names in lower case
 */
export function isMostly(values: readonly (string | undefined)[], names: ReadonlySet<string>): boolean {
  const filled = values.flatMap((value) => value?.trim().toLowerCase() || [])
  return filled.filter((value) => names.has(value)).length * 2 > filled.length
}

/**
 * Corrects a proposal by the values of a file: the column `named` goes to the heading below which most values are
 * names for it, such as 부서 with names of affiliations. Returns the proposal unchanged if a heading is known as
 * this column, or no values fit.
 * @param guessed the proposal of `guessColumns`
 */
export function guessByValues<Column extends string>(
  guessed: ColumnMap<Column>,
  known: ColumnMap<Column>,
  body: readonly (readonly string[])[],
  { column, names }: ColumnMapping<Column>['named'],
): ColumnMap<Column> {
  if (known.includes(column)) return guessed
  const isNamed = (place: number) =>
    known[place] === undefined &&
    isMostly(
      body.map((line) => line[place]),
      names,
    )
  const present = guessed.indexOf(column)
  const place = isNamed(present) ? present : guessed.findIndex((_, index) => isNamed(index))
  if (place < 0) return guessed
  return guessed.map((other, index) => (index === place ? column : other === column ? undefined : other))
}

/**
 * Returns the answer that this browser stored for a file with the same headings, without columns that the import
 * no longer has.
 * @returns undefined if there is none
 */
export function readAnswer<Column extends string>(
  storageKey: string,
  titles: readonly string[],
  columns: readonly Column[],
): Pick<ColumnAnswer<Column>, 'columns' | 'copies'> | undefined {
  const stored = readStorage(localStorage, storageKey, answers)?.find((answer) =>
    isSame(answer.titles, titles),
  )
  if (stored === undefined) return undefined
  const copies = columns.flatMap((column) => {
    const place = stored.copies?.[column]
    return place === undefined || titles[place] === undefined ? [] : [[column, place]]
  })
  return {
    columns: titles.map((_, index) => columns.find((column) => column === stored.columns[index])),
    copies: Object.fromEntries(copies) as Copies<Column>,
  }
}

/**
 * Stores an answer in this browser for the next file with the same headings, and drops the oldest above
 * STORED_ANSWERS. Values of the file are not stored.
 */
export function storeAnswer<Column extends string>(
  storageKey: string,
  titles: readonly string[],
  { columns, copies }: Pick<ColumnAnswer<Column>, 'columns' | 'copies'>,
): void {
  const others = (readStorage(localStorage, storageKey, answers) ?? []).filter(
    (answer) => !isSame(answer.titles, titles),
  )
  const stored = [{ titles, columns: columns.map((column) => column ?? null), copies }, ...others]
  localStorage.setItem(storageKey, JSON.stringify(stored.slice(0, STORED_ANSWERS)))
}

/** Returns whether two lists of headings are equal. */
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((title, index) => title === other[index])
