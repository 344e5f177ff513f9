import { useQuery } from '@tanstack/react-query'
import { useController, useFormContext } from 'react-hook-form'
import { listAudience, MAX_AUDIENCE } from '../../../../contract/notices.ts'
import { query } from '../../../api/query.ts'
import { choicesOf, fromCodes, type Choices } from '../../../forms/choices.ts'
import { MultiChoice } from '../../../forms/multi-choice.tsx'
import { usePortalMessages } from '../../../language.tsx'
import type { SelectOption } from '../../../ui/select-field.tsx'
import styles from './audience-fields.module.css'
import { codesIn, type NoticeFormValues } from './form-values.ts'
import type { Notice } from '../read/notice-card.tsx'

/**
 * Shows the audience fields of the notice form (rules/notices#audience): affiliations and roles, of which a reader must
 * match both. An empty selection admits all users.
 * @param notice the edited notice, whose closed affiliations stay selectable; undefined for a new one
 */
export function AudienceFields({ notice }: { notice: Notice | undefined }) {
  const t = usePortalMessages().notices.form.audience
  const audience = useQuery({ ...query(listAudience, {}), staleTime: STAYS_MS })
  const { audienceAffiliations = [], audienceRoles = [] } = audience.data ?? {}
  return (
    <>
      <CodesField
        name="audienceAffiliations"
        label={t.affiliations}
        choices={choicesOf(audience, fromCodes(audienceAffiliations))}
        kept={fromCodes(notice?.audienceAffiliations ?? [])}
      />
      <CodesField
        name="audienceRoles"
        label={t.roles}
        choices={choicesOf(audience, fromCodes(audienceRoles))}
        kept={fromCodes(notice?.audienceRoles ?? [])}
      />
      <p className={styles.hint}>{t.hint}</p>
    </>
  )
}

/** Milliseconds for which the loaded choices count as current. An administrator may change them at any time. */
const STAYS_MS = 20_000

/** Field of one kind of codes in the audience. */
interface CodesFieldProps {
  name: 'audienceAffiliations' | 'audienceRoles'
  label: string
  choices: Choices
  /** The current audience with names. Affiliations closed since then are kept but not offered. */
  kept: readonly SelectOption[]
}

/**
 * Shows the field for the affiliations or the roles of the audience, at most MAX_AUDIENCE, and stores their codes
 * in the form.
 */
function CodesField({ name, ...props }: CodesFieldProps) {
  const t = usePortalMessages().notices.form.audience
  const { control } = useFormContext<NoticeFormValues>()
  const { field } = useController({ control, name })
  return (
    <MultiChoice
      {...props}
      emptyText={t.everybody}
      addText={t.add}
      removeText={t.remove}
      most={MAX_AUDIENCE}
      values={codesIn(field.value)}
      onChange={(codes) => field.onChange(codes.join(' '))}
      onBlur={field.onBlur}
    />
  )
}
