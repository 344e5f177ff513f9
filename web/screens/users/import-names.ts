import { IMPORT_COLUMNS, type ImportColumn, importUsers } from '../../../contract/users.ts'
import { wireNames } from '../../../contract/wire.ts'

/** The columns as a file may call them: in either language, whichever the person reads, and by their wire names. */
export async function catalogueNames(): Promise<Map<string, ImportColumn>> {
  const { toWire } = wireNames(importUsers.path)
  const [{ users: ko }, { users: en }] = await Promise.all([
    import('../../../contract/messages/ko/users.ts'),
    import('../../../contract/messages/en/users.ts'),
  ])
  return new Map(
    IMPORT_COLUMNS.flatMap((column) =>
      [ko.import.columns[column], en.import.columns[column], toWire(column)].map(
        (name): [string, ImportColumn] => [name.toLowerCase(), column],
      ),
    ),
  )
}
