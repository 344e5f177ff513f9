import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { checkPartnerCode } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import type { PartnerFormState } from './form-values.ts'

/** State and actions of the duplicate check of a partner code. */
export interface CodeCheck {
  /** Whether the current code has passed its check. */
  isValid: boolean
  isPending: boolean
  /** Error of the field: the code is in use, or an unchecked code has stopped the submit. */
  error: string | undefined
  check: () => Promise<void>
  /** Returns whether the submit may continue. If not, shows an error at the field and focuses it. */
  requireChecked: () => boolean
  /** Shows that the code is in use, after a rejected submit. */
  showTaken: () => Promise<void>
  /** Discards the last check; to be called when the code changes (rules/partners#code-check). */
  reset: () => void
}

/** Returns the duplicate check of a partner code (rules/partners#code-check). */
export function useCodeCheck(form: PartnerFormState): CodeCheck {
  const t = usePortalMessages().partners.code
  const code = useWatch({ control: form.control, name: 'partnerCode' })
  const [checked, setChecked] = useState<{ code: string; isFree: boolean }>()
  const [isDemanded, setDemanded] = useState(false)
  const { mutateAsync, isPending } = useCall(checkPartnerCode)
  const isChecked = code !== '' && checked?.code === code
  const isValid = isChecked && checked.isFree

  async function showTaken(): Promise<void> {
    setChecked({ code: form.getValues('partnerCode'), isFree: false })
    await dialogs.alert({ title: t.duplicateTitle, message: t.duplicateText })
    form.setFocus('partnerCode')
  }

  async function check(): Promise<void> {
    // A code that breaks the schema shows the schema's message instead (rules/partners#code-check).
    if (!(await form.trigger('partnerCode', { shouldFocus: true }))) return
    try {
      await mutateAsync({ partnerCode: code })
    } catch (error) {
      if (error instanceof CallError && error.code === 'PARTNER_CODE_TAKEN') return showTaken()
      return showRefusalOnField(error, form, { INPUT_INVALID: 'partnerCode' })
    }
    setChecked({ code, isFree: true })
    setDemanded(false)
    // The button is disabled now and would lose the keyboard focus.
    form.setFocus('partnerCode')
  }

  return {
    isValid,
    isPending,
    error: isChecked && !isValid ? t.taken : isDemanded && !isValid ? t.notChecked : undefined,
    check,
    requireChecked() {
      if (isValid) return true
      setDemanded(true)
      // An error of the form takes part in its order: the first invalid field gets the focus.
      if (form.getFieldState('partnerCode').error === undefined)
        form.setError('partnerCode', { type: 'unchecked', message: isChecked ? t.taken : t.notChecked })
      form.setFocus('partnerCode')
      return false
    },
    showTaken,
    reset() {
      setChecked(undefined)
      // Clear the error of the last check or submit.
      if (form.getFieldState('partnerCode').error) void form.trigger('partnerCode')
    },
  }
}
