import { useFormContext, useWatch } from 'react-hook-form'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { getPartnerUsage } from '../../../contract/keys.ts'
import { BoundDate } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { limitOf, LIMITS, type PartnerValues } from './form-values.ts'
import layout from '../../ui/layout.module.css'

/** How much of each limit is used. */
type Usage = OutputOf<typeof getPartnerUsage>

const PERIOD = {
  maxKeysPerDay: 'day',
  maxKeysPerWeek: 'week',
  maxKeysPerMonth: 'month',
  maxKeysTotal: 'total',
} as const satisfies Record<(typeof LIMITS)[number], keyof Usage>

/**
 * The card 'key-issue settings' (rules/partners#partner-limits): the four limits, none of them where a field is empty,
 * and the validity.
 * @param usage how much is used, once that is known; of a new partner nothing
 */
export function LimitsCard({ usage }: { usage?: Usage | undefined }) {
  const { fields, partners: t } = usePortalMessages()
  const { language } = useLanguage()
  const { trigger, getValues } = useFormContext<PartnerValues>()
  const date = { locale: language === 'ko' ? 'ko-KR' : 'en-US', calendarLabel: t.calendar }
  return (
    <Card title={t.keySettings}>
      <FormGrid>
        {LIMITS.map((name) => (
          <LimitField key={name} name={name} used={usage?.[PERIOD[name]].used} />
        ))}
        <BoundDate<PartnerValues>
          {...date}
          name="validFrom"
          label={fields.validFrom}
          onChanged={() => {
            // The order of the two dates is told at the end date.
            if (getValues('validTo') !== '') void trigger('validTo')
          }}
        />
        <BoundDate<PartnerValues> {...date} name="validTo" label={fields.validTo} />
      </FormGrid>
    </Card>
  )
}

/** A limit; one below what is issued already is allowed, and said (ADR 021). */
function LimitField({ name, used = 0 }: { name: (typeof LIMITS)[number]; used: number | undefined }) {
  const { fields, partners: t } = usePortalMessages()
  const limit = limitOf(useWatch<PartnerValues, typeof name>({ name }))
  return (
    <BoundText<PartnerValues>
      name={name}
      label={fields[name]}
      inputMode="numeric"
      autoComplete="off"
      placeholder={t.noLimit}
      description={
        // Always there, so that its words are told when they come.
        <span className={layout.warning} aria-live="polite">
          {limit !== null && limit < used && t.form.belowUsed[name](used.toLocaleString())}
        </span>
      }
    />
  )
}
