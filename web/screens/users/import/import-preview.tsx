import { PreviewTable } from '../../../imports/preview-table.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { columnsOf, hyphenated } from '../../../lists/columns.ts'
import { useUserImportTexts } from './import-texts.ts'
import type { CheckedFile } from './use-import.ts'

type Previewed = CheckedFile['result']['preview'][number]

/** The first users of a file as they would be registered, and how many more there are. */
export function ImportPreview({ checked: { result } }: { checked: CheckedFile }) {
  const { users } = usePortalMessages()
  const { preview, rowCount } = result
  const { text, column } = columnsOf<Previewed, keyof Previewed>(users.search.columns)
  return (
    <PreviewTable
      words={useUserImportTexts()}
      total={rowCount}
      columns={[
        text('userId', { width: 120 }),
        text('name', { width: 110 }),
        text('affiliationName', { width: 110 }),
        text('position', { width: 90 }),
        column('phoneNumber', (user) => hyphenated(user.phoneNumber), { width: 130 }),
        text('email'),
        text('roleName', { width: 110 }),
        text('partnerCode', { width: 120 }),
        text('validFrom', { width: 110 }),
        text('validTo', { width: 110 }),
      ]}
      rows={preview}
      getRowKey={(user) => user.userId}
    />
  )
}
