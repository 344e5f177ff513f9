import { useWatch } from 'react-hook-form'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { getPartnerUsage } from '../../../contract/keys.ts'
import { exceeded, limitOf, LIMITS, type LimitName } from '../../../contract/partners.ts'
import { ValidityFields } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import type { PartnerValues } from './form-values.ts'
import layout from '../../ui/layout.module.css'

/** How much of each limit is used. */
type Usage = OutputOf<typeof getPartnerUsage>

const PERIOD = {
  maxKeysPerDay: 'day',
  maxKeysPerWeek: 'week',
  maxKeysPerMonth: 'month',
  maxKeysTotal: 'total',
} as const satisfies Record<LimitName, keyof Usage>

/**
 * The card 'key-issue settings' (rules/partners#partner-limits): the four limits, none of them where a field is empty,
 * and the validity.
 * @param usage how much is used, once that is known; of a new partner nothing
 */
export function LimitsCard({ usage }: { usage?: Usage | undefined }) {
  const t = usePortalMessages().partners
  return (
    <Card title={t.keySettings}>
      <FormGrid>
        {LIMITS.map((name) => (
          <LimitField key={name} name={name} used={usage?.[PERIOD[name]].used} />
        ))}
        <ValidityFields emptyText={t.noLimit} />
      </FormGrid>
    </Card>
  )
}

/** A limit; one below what is issued already, or above that of a longer period, is allowed and said (design/partners-and-programs#regions-of-a-partner). */
function LimitField({ name, used = 0 }: { name: LimitName; used: number | undefined }) {
  const { fields, partners: t } = usePortalMessages()
  const typed = useWatch<PartnerValues, typeof LIMITS>({ name: LIMITS })
  const limits = Object.fromEntries(LIMITS.map((each, at) => [each, limitOf(typed[at] ?? '')])) as Record<
    LimitName,
    number | null
  >
  const limit = limits[name]
  const longer = exceeded(limits, name)
  const warning =
    limit !== null && limit < used
      ? t.form.belowUsed[name](used.toLocaleString())
      : longer !== undefined && t.form.above(fields[longer], (limits[longer] ?? 0).toLocaleString())
  return (
    <BoundText<PartnerValues>
      name={name}
      label={fields[name]}
      inputMode="numeric"
      autoComplete="off"
      placeholder={t.noLimit}
      description={
        // Always there, so that its text is read out when it changes.
        <span className={layout.warning} aria-live="polite">
          {warning}
        </span>
      }
    />
  )
}
