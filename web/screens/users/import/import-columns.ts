import { userImport as enImport } from '../../../../contract/messages/en/user-import.ts'
import { userImport as koImport } from '../../../../contract/messages/ko/user-import.ts'
import { IMPORT_COLUMNS, type ImportColumn, importUsers } from '../../../../contract/users/import.ts'
import type { Messages } from '../../../../contract/messages/ko.ts'
import { wireNames } from '../../../../contract/wire.ts'
import { columnNames } from '../../../imports/read-file.ts'

type UserWords = Messages['users']

/** The headings of a file of users: those of the export, so that one reads as the other (rules/users#import). */
export function importHeadings({ search: { columns } }: UserWords): Record<ImportColumn, string> {
  return { ...columns, affiliationCode: columns.affiliationName, roleCode: columns.roleName }
}

/** The columns as a file may call them: in either language, as the template once called them, and by their wire names. */
export async function headingNames(): Promise<Map<string, ImportColumn>> {
  const { toWire } = wireNames(importUsers)
  const [{ users: ko }, { users: en }] = await Promise.all([
    import('../../../../contract/messages/ko/users.ts'),
    import('../../../../contract/messages/en/users.ts'),
  ])
  const headings = [importHeadings(ko), importHeadings(en), koImport.columns, enImport.columns]
  return columnNames(IMPORT_COLUMNS, (column) => [...headings.map((words) => words[column]), toWire(column)])
}
