import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { listAudience, MAX_AUDIENCE } from '../../../../contract/notices.ts'
import { query } from '../../../api/query.ts'
import { choicesOf, fromCodes, useChoiceTexts, type Choices } from '../../../forms/choices.ts'
import { ListFailed } from '../../../forms/list-failed.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { CloseIcon } from '../../../ui/icons.tsx'
import layout from '../../../ui/layout.module.css'
import { SelectField, type SelectOption } from '../../../ui/select-field.tsx'
import styles from './audience-fields.module.css'
import { codesIn, type NoticeFormValues } from './form-values.ts'
import type { Notice } from '../read/notice-card.tsx'

/** The audience of the notice, by affiliation and by role (rules/notices#audience). An empty selection means all users. */
export function AudienceFields({ notice }: { notice: Notice | undefined }) {
  const t = usePortalMessages().notices.form.audience
  const audience = useQuery({ ...query(listAudience, {}), staleTime: STAYS_MS })
  const { audienceAffiliations = [], audienceRoles = [] } = audience.data ?? {}
  return (
    <>
      <Chosen
        name="audienceAffiliations"
        label={t.affiliations}
        choices={choicesOf(audience, fromCodes(audienceAffiliations))}
        kept={fromCodes(notice?.audienceAffiliations ?? [])}
      />
      <Chosen
        name="audienceRoles"
        label={t.roles}
        choices={choicesOf(audience, fromCodes(audienceRoles))}
        kept={fromCodes(notice?.audienceRoles ?? [])}
      />
      <p className={styles.hint}>{t.hint}</p>
    </>
  )
}

// An administrator may change them at any time.
const STAYS_MS = 20_000

interface ChosenProps {
  name: 'audienceAffiliations' | 'audienceRoles'
  label: string
  choices: Choices
  /** The current audience with names. Affiliations closed since then are kept but not offered. */
  kept: readonly SelectOption[]
}

/** A list to add from, and the selected options, each removed by a click. */
function Chosen({ name, label, choices, kept }: ChosenProps) {
  const t = usePortalMessages().notices.form.audience
  const { control } = useFormContext<NoticeFormValues>()
  const { field } = useController({ control, name })
  const texts = useChoiceTexts(choices)
  const box = useRef<HTMLDivElement>(null)
  const codes = codesIn(field.value)
  const named = [...choices.options, ...kept]
  const nameOf = (code: string) => named.find(({ value }) => value === code)?.label ?? code
  const set = (next: readonly string[]) => field.onChange(next.join(' '))

  function remove(code: string): void {
    set(codes.filter((each) => each !== code))
    // The chip with the focus is removed, so move the focus back to the list.
    box.current?.querySelector('button')?.focus()
  }

  return (
    <div ref={box} className={styles.row}>
      <SelectField
        {...texts}
        label={label}
        placeholder={codes.length === 0 ? t.everybody : t.add}
        value=""
        options={choices.options.filter(({ value }) => !codes.includes(value))}
        isLoading={choices.isLoading}
        isDisabled={codes.length >= MAX_AUDIENCE}
        description={choices.isFailed ? <ListFailed retry={choices.retry} /> : undefined}
        onChange={(code) => set([...codes, code].toSorted())}
        onBlur={field.onBlur}
      />
      <ul className={styles.chips} aria-label={label}>
        {codes.map((code) => (
          <li key={code}>
            <button
              type="button"
              className={styles.chip}
              title={nameOf(code)}
              aria-label={t.remove(nameOf(code))}
              onClick={() => remove(code)}
            >
              <span className={layout.ellipsis}>{nameOf(code)}</span>
              <CloseIcon size={14} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
