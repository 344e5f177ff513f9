import type { ComponentProps } from 'react'
import type { ImportColumn } from '../../../../contract/users/import.ts'
import { portalConfig } from '../../../api/config.ts'
import { fixedChoices, fromNames, useAffiliations } from '../../../forms/choices.ts'
import { proposedValidity } from '../../../forms/proposed-validity.ts'
import { today } from '../../../forms/today.ts'
import { ColumnDialog } from '../../../imports/column-dialog.tsx'
import { useRoles } from '../search/lists.ts'
import { useImportHeadings } from './import-texts.ts'

type Props = Pick<ComponentProps<typeof ColumnDialog<ImportColumn>>, 'words' | 'asked'>

/**
 * Shows a dialog that asks which columns of a file of users to use, and for values that all rows share
 * (rules/users#columns-by-hand).
 */
export function UserColumns(props: Props) {
  const { openEnd: isOptional, positions } = portalConfig()
  return (
    <ColumnDialog
      {...props}
      headings={useImportHeadings()}
      shared={[
        { column: 'affiliationCode', kind: useAffiliations() },
        { column: 'position', kind: positions ? fixedChoices(fromNames(positions)) : 'text' },
        { column: 'roleCode', kind: useRoles() },
        { column: 'validFrom', kind: 'date', initial: today() },
        // Where the end may be empty, no end is proposed (rules/users#open-end).
        {
          column: 'validTo',
          kind: 'date',
          isOptional,
          initial: isOptional ? '' : proposedValidity().validTo,
        },
      ]}
    />
  )
}
