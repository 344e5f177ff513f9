import { useState } from 'react'
import { useWatch, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { checkId } from '../../contract/account.ts'
import { userId } from '../../contract/fields.ts'
import { call } from '../api/client.ts'
import { useCall } from '../api/query.ts'
import { showRefusalOnField } from './show-refusal-on-field.ts'
import { useAvailabilityCheck } from './use-availability-check.ts'

/** State and actions of the ID field's duplicate check. */
export interface IdCheck {
  /** Whether the current ID needs no check: it is the record's, or has passed one. */
  isValid: boolean
  /** Whether the current ID is the record's. */
  isOriginal: boolean
  isPending: boolean
  /** Whether an unchecked ID has stopped the submit. */
  isDemanded: boolean
  /** Message of the server if the ID is in use, from the check when the focus left the field. */
  takenText: string | undefined
  /** Checks the ID without an alert if it fails. Call it when the focus leaves the field and its button. */
  checkOnLeave: () => void
  /** Checks the ID for the button: shows a failure in an alert and at the field. */
  check: () => Promise<void>
  /**
   * Returns whether the submit may continue, after a check that runs since the focus left the field. If not, shows an error at the
   * field and focuses it.
   */
  requireChecked: () => Promise<boolean>
  /** Discards the last check. Call it when the ID changes. */
  reset: () => void
}

/** IDs that need no check. */
interface Start {
  /** ID of the record that is edited, which needs no check. */
  original?: string | undefined
  /** ID that has passed its check before a reload of the sign-up. */
  checked?: string | undefined
}

/**
 * Returns the ID check of the sign-up and of the user form (rules/account#id-check). It is valid while the field has
 * the original ID, and after a check of another one.
 */
export function useIdCheck<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  field: FieldPath<Values>,
  { original, checked: checkedBefore }: Start = {},
): IdCheck {
  const id = normalizeId(String(useWatch({ control: form.control, name: field })))
  const [checked, setChecked] = useState(checkedBefore)
  const [isDemanded, setDemanded] = useState(false)
  const { mutateAsync, isPending } = useCall(checkId)
  const isOriginal = original !== undefined && id === normalizeId(original)
  const isValid = isOriginal || (id !== '' && id === checked)

  const availability = useAvailabilityCheck(id, {
    rule: userId,
    currentValue: isValid ? id : undefined,
    code: 'USER_ID_TAKEN',
    check: (candidate) => call(checkId, { userId: candidate }, { inline: 'everything' }),
    onFree: markFree,
  })

  /** Marks an ID as checked, and removes the demand for a check of the field. */
  function markFree(candidate: string): void {
    setChecked(candidate)
    setDemanded(false)
    if (form.getFieldState(field).error?.type === 'unchecked') form.clearErrors(field)
  }

  /** Checks the ID for the button. Shows a refusal in an alert and at the field. */
  async function check(): Promise<void> {
    // An ID that breaks the schema shows the schema's message instead (rules/account#id-check).
    if (!(await form.trigger(field, { shouldFocus: true }))) return
    try {
      await mutateAsync({ userId: id })
    } catch (error) {
      await showRefusalOnField(error, form, { USER_ID_TAKEN: field, INPUT_INVALID: field })
      return
    }
    markFree(id)
    // The button is disabled now and would lose the keyboard focus.
    form.setFocus(field)
  }

  return {
    isValid,
    isOriginal,
    isPending,
    isDemanded: isDemanded && !isValid,
    takenText: isValid ? undefined : availability.message,
    checkOnLeave: availability.checkOnLeave,
    check,
    async requireChecked() {
      if (isValid) return true
      const last = await availability.wait()
      const outcome = last?.value === id ? last : undefined
      if (outcome?.isFree === true) return true
      setDemanded(true)
      // An error of the form takes part in its order: the first invalid field gets the focus.
      if (form.getFieldState(field).error === undefined)
        form.setError(field, { type: 'unchecked', message: outcome?.message ?? 'idNotChecked' })
      form.setFocus(field)
      return false
    },
    reset() {
      setChecked(undefined)
      availability.forget()
    },
  }
}

/** Normalizes an ID as the contract does (rules/users#user-id). */
function normalizeId(id: string): string {
  return id.trim().toLowerCase()
}
