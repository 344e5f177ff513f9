import { BoundDate, BoundSelect, BoundText } from '../../../forms/bound-fields.tsx'
import { fixedChoices, fromNames } from '../../../forms/choices.ts'
import { useCustomFields } from '../../../forms/custom-fields.ts'
import { usePortalMessages } from '../../../language.tsx'
import { usePermissionLookup } from '../../../layout/use-permission.ts'
import type { UserFormValues, UserRecord } from './form-values.ts'

interface Props {
  /** The saved record; undefined for a new user. */
  record?: UserRecord | undefined
  isOwn?: boolean
}

/**
 * Shows the fields for the employee number and for the company's own fields that the viewer may see
 * (rules/users#custom-fields). On the user's own page those that only others may change are read-only, and an empty
 * fixed employee number is omitted. Must be inside a `FormGrid`.
 */
export function DetailFields({ record, isOwn = false }: Props) {
  const { fields: labels, users } = usePortalMessages()
  const may = usePermissionLookup()
  const customFields = useCustomFields()
  const isNumberFixed = isOwn && may('autho_user_manage') !== true
  const number = record?.employeeNumber ?? ''
  const t = users.form
  return (
    <>
      {!(isNumberFixed && number === '') && (
        <BoundText<UserFormValues>
          name="employeeNumber"
          label={labels.employeeNumber}
          autoComplete="off"
          isReadOnly={isNumberFixed}
          description={isNumberFixed ? t.profileReadOnly : undefined}
        />
      )}
      {customFields.map(({ slot, name, kind, choices, editable }) => {
        const isFixed = isOwn && !editable
        const props = {
          name: slot,
          label: name,
          isReadOnly: isFixed,
          description: isFixed ? t.profileReadOnly : undefined,
        }
        if (kind === 'date') return <BoundDate<UserFormValues> key={slot} {...props} />
        if (kind === 'text') return <BoundText<UserFormValues> key={slot} {...props} autoComplete="off" />
        // A saved value stays, although it is no choice any more.
        const values = [...new Set([...choices, record?.[slot] ?? ''])].filter((value) => value !== '')
        const options = [{ value: '', label: t.noChoice }, ...fromNames(values)]
        return <BoundSelect<UserFormValues> key={slot} {...props} choices={fixedChoices(options)} />
      })}
    </>
  )
}
