import { useFormContext, useWatch } from 'react-hook-form'
import { BoundText } from '../../forms/bound-text.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { cleanCode, hasKorean } from './code-input.ts'
import type { PartnerValues } from './form-values.ts'
import type { CodeCheck } from './use-code-check.ts'

/** Returns a function that cleans input of the partner-code field in the surrounding form (rules/partners#code-input). */
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

/** The partner code with its duplicate check (rules/partners#code-check). */
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
