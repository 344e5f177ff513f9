import { useFormContext, useWatch } from 'react-hook-form'
import { BoundText } from '../../forms/bound-text.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { Sentence } from '../../ui/capitalized.tsx'
import { cleanCode, hasKorean } from './code-input.ts'
import type { PartnerValues, PartnerFormState } from './form-values.ts'
import { useState } from 'react'
import { checkPartnerCode } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'

/**
 * Returns a function that cleans typed text of the partner-code field (rules/partners#code-input): see `cleanCode`. For
 * Korean text it shows an alert and returns the previous value.
 */
export function useCleanCode(): (typed: string) => string {
  const t = usePortalMessages().partners.code
  const { getValues } = useFormContext<{ partnerCode: string }>()
  return (typed) => {
    if (!hasKorean(typed)) return cleanCode(typed)
    // Reject the whole input: a part of the pasted text would be a different code.
    void dialogs.alert({ title: t.koreanTitle, message: t.koreanText })
    return getValues('partnerCode')
  }
}

/**
 * Shows the field of a new partner code with the button of its duplicate check (rules/partners#code-check), which is
 * disabled once the code has passed. A new input discards the last check.
 */
export function CodeField({ check }: { check: CodeCheck }) {
  const { fields, partners } = usePortalMessages()
  const t = partners.code
  const clean = useCleanCode()
  const code = useWatch<PartnerValues, 'partnerCode'>({ name: 'partnerCode' })

  return (
    <BoundText<PartnerValues>
      name="partnerCode"
      label={fields.partnerCode}
      autoComplete="off"
      clean={clean}
      onChanged={check.reset}
      ownError={check.error}
      description={check.isValid ? t.free : code === '' ? t.hint : t.notChecked}
      isRequired
      action={
        <Button isDisabled={check.isValid} isPending={check.isPending} onClick={() => void check.check()}>
          <Sentence>{check.isValid ? t.checked : t.check}</Sentence>
        </Button>
      }
    />
  )
}

/** State and actions of the duplicate check of a partner code. */
export interface CodeCheck {
  /** Whether the current code has passed its check. */
  isValid: boolean
  isPending: boolean
  /** Message of the field: the code is in use, or an unchecked code has stopped the submit. */
  error: string | undefined
  /**
   * Checks the code, if it is valid; otherwise shows the error of the form. Shows a code in use in an alert and at the
   * field, and a failure as `showRefusalOnField`.
   */
  check: () => Promise<void>
  /** Returns whether the submit may continue. If not, shows an error at the field and focuses it. */
  requireChecked: () => boolean
  /** Shows in an alert and at the field that the code is in use, after a refused submit. */
  showTaken: () => Promise<void>
  /** Discards the last check. Call it when the code changes (rules/partners#code-check). */
  reset: () => void
}

/**
 * Manages the duplicate check of a partner code (`checkPartnerCode`, rules/partners#code-check). The check of another
 * code is discarded.
 */
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
