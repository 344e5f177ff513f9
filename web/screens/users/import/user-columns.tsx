import type { ComponentProps } from 'react'
import type { ImportColumn } from '../../../../contract/users/import.ts'
import { portalConfig } from '../../../api/config.ts'
import { useAffiliations } from '../../../forms/choices.ts'
import { ColumnDialog } from '../../../imports/column-dialog.tsx'
import { useRoles } from '../search/lists.ts'
import { useImportHeadings } from './import-texts.ts'

type Props = Pick<ComponentProps<typeof ColumnDialog<ImportColumn>>, 'words' | 'asked'>

/**
 * Shows a dialog that asks which columns of a file of users to use, and for values that all rows share
 * (rules/users#columns-by-hand).
 */
export function UserColumns(props: Props) {
  return (
    <ColumnDialog
      {...props}
      headings={useImportHeadings()}
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
