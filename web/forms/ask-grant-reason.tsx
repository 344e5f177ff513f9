import { useRef, useState } from 'react'
import { GRANT_FIELDS } from '../../contract/fields.ts'
import { ROLE } from '../../contract/permissions.ts'
import { portalConfig } from '../api/config.ts'
import { portalMessages, usePortalMessages } from '../language.tsx'
import { dialogs } from '../ui/dialogs.ts'
import layout from '../ui/layout.module.css'
import { TextField } from '../ui/text-field.tsx'

/** Reason, requester and approver of a grant, as fields of a call. */
type GrantFields = Partial<Record<(typeof GRANT_FIELDS)[number], string>>

/**
 * Asks in a dialog why a role or a permission is granted, and who requested and approved it, if the settings require it
 * (rules/roles#grant-records). All three are required. Asks nothing for the role 일반 사용자. Makes no call.
 * @param roleCode the role that is granted; undefined for a permission
 * @returns the trimmed fields of the call, {} without a question; undefined if the user cancels
 */
export async function askGrantReason(roleCode?: string): Promise<GrantFields | undefined> {
  if (portalConfig().grantReasons !== true || roleCode === ROLE.user) return {}
  let given: GrantFields = {}
  let askAgain: (() => void) | undefined
  const isGiven = await dialogs.confirm({
    title: portalMessages().fields.grantReason,
    message: <Fields onChange={(values) => (given = values)} onReady={(ask) => (askAgain = ask)} />,
    mayConfirm() {
      const isComplete = GRANT_FIELDS.every((field) => given[field])
      if (!isComplete) askAgain?.()
      return isComplete
    },
  })
  return isGiven ? given : undefined
}

/** Callbacks of the fields. */
interface Props {
  /** Receives the trimmed values. */
  onChange: (values: GrantFields) => void
  /** Receives a function that asks for the first missing value. */
  onReady: (ask: () => void) => void
}

/**
 * Shows the three required fields of a grant: reason, requester and approver. A missing value has an error only after
 * the user has tried to confirm.
 */
function Fields({ onChange, onReady }: Props) {
  const { fields, validation } = usePortalMessages()
  const [values, setValues] = useState<GrantFields>({})
  const [isAsked, setAsked] = useState(false)
  const inputs = useRef<Partial<Record<(typeof GRANT_FIELDS)[number], HTMLInputElement | null>>>({})
  const isMissing = (field: (typeof GRANT_FIELDS)[number]) => !values[field]?.trim()
  return (
    <div
      className={layout.stack}
      // A function that is returned would be the cleanup of the ref.
      ref={() => {
        onReady(() => {
          setAsked(true)
          const first = GRANT_FIELDS.find(isMissing)
          if (first !== undefined) inputs.current[first]?.focus()
        })
      }}
    >
      {GRANT_FIELDS.map((field) => (
        <TextField
          key={field}
          ref={(element) => {
            inputs.current[field] = element
          }}
          label={fields[field]}
          value={values[field] ?? ''}
          onChange={(typed) => {
            const next = { ...values, [field]: typed }
            setValues(next)
            onChange(Object.fromEntries(Object.entries(next).map(([name, text]) => [name, text.trim()])))
          }}
          maxLength={field === 'grantReason' ? 200 : 100}
          isRequired
          errorMessage={isAsked && isMissing(field) ? validation.required : undefined}
          autoComplete="off"
        />
      ))}
    </div>
  )
}
