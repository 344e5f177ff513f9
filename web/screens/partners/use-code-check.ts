import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { checkPartnerCode } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import type { PartnerFormState } from './form-values.ts'

/** The duplicate check of the partner code: its state, and what the button and the submit do with it. */
export interface CodeCheck {
  /** Submit may go on. */
  isValid: boolean
  isPending: boolean
  /** What the field says is wrong: the code is taken, or submit was stopped because it is not checked. */
  error: string | undefined
  check: () => Promise<void>
  /** Whether submit may go on; else the field asks for the check, and has the focus unless another one is wrong. */
  requireChecked: () => boolean
  /** The code is taken, as somebody found out just now. */
  tellTaken: () => Promise<void>
  /** Any edit of the field makes the last check void (rules/partners#code-check). */
  reset: () => void
}

/** The check of the partner code (rules/partners#code-check). */
export function useCodeCheck(form: PartnerFormState): CodeCheck {
  const t = usePortalMessages().partners.code
  const code = useWatch({ control: form.control, name: 'partnerCode' })
  const [checked, setChecked] = useState<{ code: string; isFree: boolean }>()
  const [isDemanded, setDemanded] = useState(false)
  const { mutateAsync, isPending } = useCall(checkPartnerCode)
  const isKnown = code !== '' && checked?.code === code
  const isValid = isKnown && checked.isFree

  async function tellTaken(): Promise<void> {
    setChecked({ code: form.getValues('partnerCode'), isFree: false })
    await dialogs.alert({ title: t.duplicateTitle, message: t.duplicateText })
    form.setFocus('partnerCode')
  }

  async function check(): Promise<void> {
    // An empty code sends no check; one that the schema refuses is told by the schema (rules/partners#code-check).
    if (!(await form.trigger('partnerCode', { shouldFocus: true }))) return
    try {
      await mutateAsync({ partnerCode: code })
    } catch (error) {
      if (error instanceof CallError && error.code === 'PARTNER_CODE_TAKEN') return tellTaken()
      return showRefusalOnField(error, form, { INPUT_INVALID: 'partnerCode' })
    }
    setChecked({ code, isFree: true })
    setDemanded(false)
    // The button is out of use now and would drop the keyboard focus.
    form.setFocus('partnerCode')
  }

  return {
    isValid,
    isPending,
    error: isKnown && !isValid ? t.taken : isDemanded && !isValid ? t.notChecked : undefined,
    check,
    requireChecked() {
      if (isValid) return true
      setDemanded(true)
      // One of the form's own errors: of all that are wrong the first in reading order gets the focus.
      if (form.getFieldState('partnerCode').error === undefined)
        form.setError('partnerCode', { type: 'unchecked', message: isKnown ? t.taken : t.notChecked })
      form.setFocus('partnerCode')
      return false
    },
    tellTaken,
    reset() {
      setChecked(undefined)
      // What the last check or submit said of the field before.
      if (form.getFieldState('partnerCode').error) void form.trigger('partnerCode')
    },
  }
}
