import { usePortalMessages } from '../../language.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { Badge } from '../../ui/badge.tsx'
import { isApproved, type UserRecord } from './form-values.ts'
import layout from '../../ui/layout.module.css'

/** Whether the account may be used today and what stands in its way, each in its own badge (rules/users#account-state). */
export function AccountBadges({ record }: { record: UserRecord }) {
  const t = usePortalMessages().users.account
  const { suspendedFor = '', suspendedAt = '', suspendedReason = '', loginRefusal } = record
  const { validFrom = '', validTo = '' } = record
  const why = t.suspendedFor[suspendedFor as keyof typeof t.suspendedFor]
  return (
    <div className={layout.row}>
      {loginRefusal === '' && (
        <Badge tone="positive">{validTo === '' ? t.states.inUse : t.states.ends(validTo)}</Badge>
      )}
      {!isApproved(record) && <Badge>{t.states.notApproved}</Badge>}
      {loginRefusal === 'ACCOUNT_NOT_YET_VALID' && <Badge tone="info">{t.states.notYet(validFrom)}</Badge>}
      {loginRefusal === 'ACCOUNT_EXPIRED' && <Badge tone="danger">{t.states.expired(validTo)}</Badge>}
      {suspendedAt !== '' && (
        <>
          <Badge tone="danger">{t.states.suspended}</Badge>
          <span>{t.since(minuteOf(suspendedAt), why)}</span>
          {suspendedReason !== '' && <span className={layout.quiet}>{suspendedReason}</span>}
        </>
      )}
    </div>
  )
}
