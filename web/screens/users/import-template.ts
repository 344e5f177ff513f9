import { IMPORT_COLUMNS, type ImportColumn } from '../../../contract/users.ts'
import { saveContent } from '../../api/save-content.ts'

/** Saves an empty file of new users to fill in: the header alone, because an example would be registered. */
export async function saveTemplate(name: string, headers: Record<ImportColumn, string>): Promise<void> {
  const { writeXlsx } = await import('hucre/xlsx')
  const bytes = await writeXlsx({
    sheets: [
      {
        name,
        columns: IMPORT_COLUMNS.map(() => ({ width: 20 })),
        rows: [IMPORT_COLUMNS.map((c) => headers[c])],
      },
    ],
  })
  saveContent(new Blob([new Uint8Array(bytes)]), `${name}.xlsx`)
}
