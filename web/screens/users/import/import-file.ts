import { plainPhone } from '../../../../contract/fields.ts'
import { userImport as enImport } from '../../../../contract/messages/en/user-import.ts'
import type { Messages } from '../../../../contract/messages/ko.ts'
import { userImport as koImport } from '../../../../contract/messages/ko/user-import.ts'
import {
  IMPORT_COLUMNS,
  IMPORT_MAX_ROWS,
  type ImportColumn,
  importUsers,
} from '../../../../contract/users/import.ts'
import { CUSTOM_SLOTS, type CustomSlot, perSlot } from '../../../../contract/custom-fields.ts'
import { wireNames } from '../../../../contract/wire.ts'
import { namesOf, type ShownField } from '../../../forms/custom-fields.ts'
import { type ColumnMapping, plainHeading } from '../../../imports/map-columns.ts'
import {
  cleanDay,
  columnNames,
  type FileShape,
  type ImportFile,
  readImportFile,
} from '../../../imports/read-file.ts'

/** Texts of users in a language. */
type UserWords = Messages['users']

/**
 * Returns the headings of an import file. They are those of the export, so that an exported file can be imported
 * (rules/users#import).
 */
export function importHeadings(
  { search: { columns } }: UserWords,
  fields: readonly ShownField[],
): Record<ImportColumn, string> {
  return {
    ...columns,
    ...namesOf(fields),
    affiliationCode: columns.affiliationName,
    roleCode: columns.roleName,
  }
}

/** Returns the columns of an import file in order, without the fields that the company has not defined. */
const columnsFor = (fields: readonly ShownField[]): ImportColumn[] =>
  IMPORT_COLUMNS.filter((column) => !isSlot(column) || fields.some(({ slot }) => slot === column))

/** Returns whether a column is a field that the company defines. */
const isSlot = (column: ImportColumn): column is CustomSlot => column.startsWith('custom')

/**
 * Returns the column of each heading that a file may use, by heading: in either language, as in older templates, and by
 * wire name.
 */
export async function headingNames(fields: readonly ShownField[]): Promise<Map<string, ImportColumn>> {
  const { toWire } = wireNames(importUsers)
  const [{ users: ko }, { users: en }] = await Promise.all([
    import('../../../../contract/messages/ko/users.ts'),
    import('../../../../contract/messages/en/users.ts'),
  ])
  const headings = [importHeadings(ko, []), importHeadings(en, []), koImport.columns, enImport.columns]
  // The columns of the portal come last, so that no field takes their headings.
  return columnNames(columnsFor(fields).toReversed(), (column) => {
    if (!isSlot(column)) return [...headings.map((words) => words[column]), toWire(column)]
    const names = fields.filter(({ slot }) => slot === column).flatMap(({ name, nameEn }) => [name, nameEn])
    return names.filter((name) => name !== '')
  })
}

/**
 * Returns the column of each other usual heading, by heading in the form of `plainHeading`
 * (rules/users#columns-by-hand). The exact headings win.
 */
export async function headingSynonyms(fields: readonly ShownField[]): Promise<Map<string, ImportColumn>> {
  const exact = [...(await headingNames(fields))].map(([name, column]): [string, ImportColumn] => [
    plainHeading(name),
    column,
  ])
  const others = IMPORT_COLUMNS.flatMap((column) =>
    [koImport, enImport].flatMap(({ synonyms }) =>
      (isSlot(column) ? [] : synonyms[column]).map((name): [string, ImportColumn] => [
        plainHeading(name),
        column,
      ]),
    ),
  )
  return new Map([...others, ...exact])
}

/**
 * Reads a file of users in the format of `shape`. Asks which columns its headings are, unless they are clear. Stores the
 * answer in this browser, which fills in the next question about a file with the same headings.
 * @param fields the company's own fields, whose names are headings, too
 * @param affiliations names of affiliations, in lower case, which recognize their column by its values
 * @returns null if the user cancels the question
 * @throws {UnfitFile} if the file cannot be imported
 */
export async function readUserFile(
  file: File,
  shape: FileShape<ImportColumn>,
  ask: ColumnMapping<ImportColumn>['ask'],
  fields: readonly ShownField[],
  affiliations: ReadonlySet<string> = new Set(),
): Promise<ImportFile<ImportColumn> | null> {
  const mapping: ColumnMapping<ImportColumn> = {
    synonyms: await headingSynonyms(fields),
    named: { column: 'affiliationCode', names: affiliations },
    storageKey: 'user_import_columns',
    ask,
  }
  return readImportFile(file, shape, await headingNames(fields), mapping)
}

/**
 * Example rows of the template (rules/users#template). An import skips a row that has both the ID and the email of an
 * example.
 */
export const EXAMPLES = [
  example('example01', '010-1234-5678'),
  example('example02', '010-8765-4321'),
] as const

/** Returns an example row with this ID and phone number. */
function example(userId: string, phoneNumber: string) {
  return {
    userId,
    phoneNumber,
    email: `${userId}@example.com`,
    name: '',
    position: '',
    partnerCode: '',
    teamName: '',
    employeeNumber: '',
    ...perSlot(''),
  }
}

/** Returns whether a row of a file is an example row, by ID and email in any case. */
export function isExample({ userId = '', email = '' }: { userId?: string; email?: string }): boolean {
  return EXAMPLES.some((row) => row.userId === userId.toLowerCase() && row.email === email.toLowerCase())
}

/**
 * Returns the format of a file of new users (rules/users#import): its columns, which of them are optional, and how
 * cells are cleaned, such as phone numbers without their leading zero.
 */
export const userFile = (fields: readonly ShownField[]): FileShape<ImportColumn> => ({
  columns: columnsFor(fields),
  // Without partner codes every user gets the default code of the affiliation (rules/affiliations#default-partner).
  optional: ['partnerCode', 'teamName', 'employeeNumber', ...CUSTOM_SLOTS],
  maxRows: IMPORT_MAX_ROWS,
  clean(column, text) {
    if (column === 'phoneNumber') {
      const bare = text.replaceAll(/[\s-]/g, '')
      // Excel reads 01012345678 as a number and drops the leading zero.
      return /^10\d{8}$/.test(bare) ? `0${bare}` : plainPhone(bare)
    }
    const isDate = fields.some(({ slot, kind }) => slot === column && kind === 'date')
    return isDate || column === 'validFrom' || column === 'validTo' ? cleanDay(text) : text
  },
  isExample,
})

/**
 * Returns the format of a file of registered users (rules/users#update). Only the ID is required; fields without a
 * column stay unchanged.
 */
export const updateFile = (fields: readonly ShownField[]): FileShape<ImportColumn> => ({
  ...userFile(fields),
  optional: IMPORT_COLUMNS.filter((column) => column !== 'userId'),
})
