import { useState } from 'react'
import { useWatch, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { checkId } from '../../contract/account.ts'
import { userId } from '../../contract/fields.ts'
import { call } from '../api/client.ts'
import { useCall } from '../api/query.ts'
import { showRefusalOnField } from './refusal.ts'
import { useTaken } from './use-taken.ts'

/** The duplicate check of the ID field: its state, and what the button and the submit do with it. */
export interface IdCheck {
  /** Submit may go on. */
  isValid: boolean
  /** The ID is the record's own, untouched or typed again. */
  isOriginal: boolean
  isPending: boolean
  /** Submit was stopped by an unchecked ID: the field says so until it is checked. */
  isDemanded: boolean
  /** Somebody has this ID, as was found when the field was left. */
  takenText: string | undefined
  /** The field was left. */
  look: () => void
  check: () => Promise<void>
  /** Whether submit may go on; else the field asks for the check, and has the focus unless another one is wrong. */
  mayGoOn: () => boolean
  /** Any edit of the ID makes the last check void. */
  reset: () => void
}

interface Start {
  /** The record's own ID, which needs no check (edit). */
  original?: string | undefined
  /** An ID that passed its check before the form was drawn (a sign-up that goes on after a reload). */
  checked?: string | undefined
}

/**
 * The ID check of sign-up and of the user form (rules/account#id-check). On edit it starts valid, becomes invalid as
 * soon as the ID changes, and is valid again when the original is typed; without an original it starts invalid.
 */
export function useIdCheck<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  field: FieldPath<Values>,
  { original, checked: checkedBefore }: Start = {},
): IdCheck {
  const id = normalised(String(useWatch({ control: form.control, name: field })))
  const [checked, setChecked] = useState(checkedBefore)
  const [isDemanded, setDemanded] = useState(false)
  const { mutateAsync, isPending } = useCall(checkId)
  const isOriginal = original !== undefined && id === normalised(original)
  const isValid = isOriginal || (id !== '' && id === checked)

  const taken = useTaken(id, {
    rule: userId,
    own: isValid ? id : undefined,
    code: 'USER_ID_TAKEN',
    ask: (wanted) => call(checkId, { userId: wanted }, { inline: 'everything' }),
  })

  async function check(): Promise<void> {
    // An empty ID sends no check; one that the schema refuses is told by the schema (rules/account#id-check).
    if (!(await form.trigger(field, { shouldFocus: true }))) return
    try {
      await mutateAsync({ userId: id })
    } catch (error) {
      await showRefusalOnField(error, form, { USER_ID_TAKEN: field, INPUT_INVALID: field })
      return
    }
    setChecked(id)
    setDemanded(false)
    // The button is out of use now and would drop the keyboard focus.
    form.setFocus(field)
  }

  return {
    isValid,
    isOriginal,
    isPending,
    isDemanded: isDemanded && !isValid,
    takenText: isValid ? undefined : taken.message,
    look: taken.look,
    check,
    mayGoOn() {
      if (isValid) return true
      setDemanded(true)
      // One of the form's own errors: of all that are wrong the first in reading order gets the focus.
      if (form.getFieldState(field).error === undefined)
        form.setError(field, { type: 'unchecked', message: taken.message ?? 'idNotChecked' })
      form.setFocus(field)
      return false
    },
    reset: () => setChecked(undefined),
  }
}

/** IDs are compared trimmed and in lower case, as the contract keeps them (rules/users#user-id). */
function normalised(id: string): string {
  return id.trim().toLowerCase()
}
