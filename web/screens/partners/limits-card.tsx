import { useWatch } from 'react-hook-form'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { getPartnerUsage, USAGE_MARKS } from '../../../contract/keys.ts'
import { findExceededLimit, limitOf, LIMITS, type LimitName } from '../../../contract/partners.ts'
import { ValidityFields } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import type { PartnerValues } from './form-values.ts'
import layout from '../../ui/layout.module.css'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import styles from './partner-usage.module.css'

/** Number of issued keys and limit for the day, the week, the month and in total. */
type Usage = OutputOf<typeof getPartnerUsage>

/** Period of the usage that each limit restricts, for `LimitsCard`. */
const PERIOD = {
  maxKeysPerDay: 'day',
  maxKeysPerWeek: 'week',
  maxKeysPerMonth: 'month',
  maxKeysTotal: 'total',
} as const satisfies Record<LimitName, keyof Usage>

/**
 * Shows the card 'key-issue settings' (rules/partners#partner-limits): the four limits of issued keys (per day, week,
 * month and in total) and the validity period. An empty field means no limit.
 * @param usage keys issued so far; undefined until it is loaded and for a new partner
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

/**
 * Shows a limit. Warns if it is below the number of issued keys or above the limit of a longer period, but allows both
 * (design/partners-and-programs#regions-of-a-partner).
 * @param used keys issued in the period; undefined counts as 0
 */
function LimitField({ name, used = 0 }: { name: LimitName; used: number | undefined }) {
  const { fields, partners: t } = usePortalMessages()
  const typed = useWatch<PartnerValues, typeof LIMITS>({ name: LIMITS })
  const limits = Object.fromEntries(LIMITS.map((each, at) => [each, limitOf(typed[at] ?? '')])) as Record<
    LimitName,
    number | null
  >
  const limit = limits[name]
  const longer = findExceededLimit(limits, name)
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

/** Reads how many keys a partner was issued in each period, with the limits. Shows a refusal in an alert. */
export function usePartnerUsage(partnerCode: string) {
  const usage = useQuery(query(getPartnerUsage, { partnerCode }))
  useShowRefusal(usage.error)
  return usage
}

/**
 * Shows the keys issued today, this week, this month and in total as shares of the limits, with marks at 80 and 100 %.
 */
export function PartnerUsage({ usage }: { usage: ReturnType<typeof usePartnerUsage> }) {
  const t = usePortalMessages().keys.usage
  const { data } = usage
  if (data === undefined) {
    return <RecordStates query={usage} title={t.title} loading={t.loading} failed={t.failed} />
  }
  return (
    <Card title={t.title}>
      <dl className={styles.gauges}>
        <Gauge label={t.day} {...data.day} />
        <Gauge label={t.week} {...data.week} />
        <Gauge label={t.month} {...data.month} />
        <Gauge label={t.total} {...data.total} />
      </dl>
    </Card>
  )
}

/** Percentages of a limit at which a gauge warns and is full. */
const [WARNING, FULL] = USAGE_MARKS

/**
 * Shows the issued keys of a period as a share of the limit, with a warning from 80 and from 100 %. A limit of 0 is 100
 * %. Without a limit it shows the number alone.
 */
function Gauge({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  const t = usePortalMessages().keys.usage
  const count = used.toLocaleString()
  if (limit === null) {
    return (
      <div className={styles.gauge}>
        <dt>{label}</dt>
        <dd>{t.unlimited(count)}</dd>
      </div>
    )
  }
  // A limit of 0 is used up from the beginning; one that was lowered is used by more than all of it.
  const percent = limit === 0 ? FULL : Math.floor((used * 100) / limit)
  const state = percent >= FULL ? 'full' : percent >= WARNING ? 'warning' : 'fine'
  const warning = { full: t.full, warning: t.warning, fine: '' }[state]
  return (
    <div className={styles.gauge} data-state={state}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.figures}>
          <span>{t.of(count, limit.toLocaleString())}</span>
          <span>{t.percent(percent)}</span>
        </span>
        <svg className={styles.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect className={styles.track} width="100" height="10" />
          <rect className={styles.fill} width={Math.min(percent, FULL)} height="10" />
          <rect className={styles.gap} x={WARNING - 0.75} width="1.5" height="10" />
          <rect className={styles.mark} x={WARNING - 0.25} width="0.5" height="10" />
        </svg>
        <span className={styles.marks} aria-hidden="true">
          <span style={{ left: `${WARNING}%` }}>{t.percent(WARNING)}</span>
          <span>{t.percent(FULL)}</span>
        </span>
        <span className={styles.words}>{warning}</span>
      </dd>
    </div>
  )
}
