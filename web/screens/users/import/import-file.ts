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
import { wireNames } from '../../../../contract/wire.ts'
import { type ColumnMapping, plainHeading } from '../../../imports/map-columns.ts'
import {
  cleanDay,
  columnNames,
  type FileShape,
  type ImportFile,
  readImportFile,
} from '../../../imports/read-file.ts'

type UserWords = Messages['users']

/**
 * Returns the headings of an import file. They are those of the export, so that an exported file can be imported
 * (rules/users#import).
 */
export function importHeadings({ search: { columns } }: UserWords): Record<ImportColumn, string> {
  return { ...columns, affiliationCode: columns.affiliationName, roleCode: columns.roleName }
}

/** Returns the column of each heading that a file may use: in either language, as in older templates, and by wire name. */
export async function headingNames(): Promise<Map<string, ImportColumn>> {
  const { toWire } = wireNames(importUsers)
  const [{ users: ko }, { users: en }] = await Promise.all([
    import('../../../../contract/messages/ko/users.ts'),
    import('../../../../contract/messages/en/users.ts'),
  ])
  const headings = [importHeadings(ko), importHeadings(en), koImport.columns, enImport.columns]
  return columnNames(IMPORT_COLUMNS, (column) => [...headings.map((words) => words[column]), toWire(column)])
}

/** Returns the column of each other usual heading, as `plainHeading` returns it (rules/users#columns-by-hand). */
export async function headingSynonyms(): Promise<Map<string, ImportColumn>> {
  const exact = [...(await headingNames())].map(([name, column]): [string, ImportColumn] => [
    plainHeading(name),
    column,
  ])
  const others = IMPORT_COLUMNS.flatMap((column) =>
    [koImport, enImport].flatMap(({ synonyms }) =>
      synonyms[column].map((name): [string, ImportColumn] => [plainHeading(name), column]),
    ),
  )
  return new Map([...others, ...exact])
}

/**
 * Reads a file of users in the format of `shape`, and asks about headings that are unknown.
 * @returns null if the user cancels the question
 * @throws {UnfitFile} if the file cannot be imported
 */
export async function readUserFile(
  file: File,
  shape: FileShape<ImportColumn>,
  ask: ColumnMapping<ImportColumn>['ask'],
): Promise<ImportFile<ImportColumn> | null> {
  const mapping = { synonyms: await headingSynonyms(), storageKey: 'user_import_columns', ask }
  return readImportFile(file, shape, await headingNames(), mapping)
}

/**
 * The example rows of the template (rules/users#template). An import skips a row that has both the ID and the email of an
 * example.
 */
export const EXAMPLES = [
  example('example01', '010-1234-5678'),
  example('example02', '010-8765-4321'),
] as const

function example(userId: string, phoneNumber: string) {
  return {
    userId,
    phoneNumber,
    email: `${userId}@example.com`,
    name: '',
    position: '',
    partnerCode: '',
    teamName: '',
  }
}

/** Returns whether a row of a file is an example row. */
export function isExample({ userId = '', email = '' }: { userId?: string; email?: string }): boolean {
  return EXAMPLES.some((row) => row.userId === userId.toLowerCase() && row.email === email.toLowerCase())
}

/** The format of a file of new users (rules/users#import). */
export const userFile: FileShape<ImportColumn> = {
  columns: IMPORT_COLUMNS,
  // Without partner codes every user gets the default code of the affiliation (rules/affiliations#default-partner).
  optional: ['partnerCode', 'teamName'],
  maxRows: IMPORT_MAX_ROWS,
  clean(column, text) {
    if (column === 'phoneNumber') {
      const bare = text.replaceAll(/[\s-]/g, '')
      // Excel reads 01012345678 as a number and drops the leading zero.
      return /^10\d{8}$/.test(bare) ? `0${bare}` : plainPhone(bare)
    }
    return column === 'validFrom' || column === 'validTo' ? cleanDay(text) : text
  },
  isExample,
}

/**
 * The format of a file of registered users (rules/users#update). Only the ID is required; fields without a column stay
 * unchanged.
 */
export const updateFile: FileShape<ImportColumn> = {
  ...userFile,
  optional: IMPORT_COLUMNS.filter((column) => column !== 'userId'),
}
