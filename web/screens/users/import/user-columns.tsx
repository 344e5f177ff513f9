import type { ComponentProps } from 'react'
import type { ImportColumn } from '../../../../contract/users/import.ts'
import { portalConfig } from '../../../api/config.ts'
import { useAffiliations } from '../../../forms/choices.ts'
import { ColumnDialog } from '../../../imports/column-dialog.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { useRoles } from '../search/lists.ts'
import { importHeadings } from './import-file.ts'

type Props = Pick<ComponentProps<typeof ColumnDialog<ImportColumn>>, 'words' | 'asked'>

/** Asks which columns of a file of users to use (rules/users#columns-by-hand). */
export function UserColumns(props: Props) {
  const { users } = usePortalMessages()
  return (
    <ColumnDialog
      {...props}
      headings={importHeadings(users)}
      shared={[
        { column: 'affiliationCode', kind: useAffiliations() },
        { column: 'position', kind: 'text' },
        { column: 'roleCode', kind: useRoles() },
        { column: 'validFrom', kind: 'date' },
        { column: 'validTo', kind: 'date', isOptional: portalConfig().openEnd },
      ]}
    />
  )
}
