import { isRunnersName } from '../../../../contract/look-alikes.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { usePortalMessages } from '../../../language.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Badge } from '../../../ui/badge.tsx'
import { isApproved, type UserRecord } from '../record/form-values.ts'
import styles from './account-card.module.css'
import layout from '../../../ui/layout.module.css'

/** Shows whether the account may be used today, and every obstacle in a badge of its own (rules/users#account-state). */
export function AccountBadges({ record }: { record: UserRecord }) {
  const t = usePortalMessages().users.account
  const { states } = t
  const { loginRefusal, validFrom = '', validTo = '' } = record
  const { suspendedFor = '', suspendedAt = '', suspendedReason = '' } = record
  const { lockedUntil = '', invitationEnds = '', pendingEmail = '', temporaryUntil = '' } = record
  const { invited: isInvited, temporaryPassword: hasTemporary } = record
  const why = t.suspendedFor[suspendedFor as keyof typeof t.suspendedFor]
  return (
    <div className={styles.states}>
      {loginRefusal === '' && !isInvited && (
        <Badge tone="positive">{validTo === '' ? states.inUse : states.ends(validTo)}</Badge>
      )}
      {record.roleCode !== ROLE.admin && isRunnersName(record.name) && (
        <Badge tone="danger">{states.likeRunner}</Badge>
      )}
      {!isApproved(record) && <Badge>{states.notApproved}</Badge>}
      {loginRefusal === 'ACCOUNT_NOT_YET_VALID' && <Badge tone="info">{states.notYet(validFrom)}</Badge>}
      {loginRefusal === 'ACCOUNT_EXPIRED' && <Badge tone="danger">{states.expired(validTo)}</Badge>}
      {suspendedAt !== '' && (
        <>
          <Badge tone="danger">{states.suspended}</Badge>
          <span>{t.since(minuteOf(suspendedAt), why)}</span>
          {suspendedReason !== '' && <span className={layout.quiet}>{suspendedReason}</span>}
        </>
      )}
      {lockedUntil !== '' && <Badge tone="warning">{states.locked(minuteOf(lockedUntil))}</Badge>}
      {record.passwordDisabled === true && <Badge tone="danger">{states.passwordDisabled}</Badge>}
      {isInvited && <Badge tone="info">{states.invited(minuteOf(invitationEnds))}</Badge>}
      {hasTemporary && (
        <Badge tone="warning">
          {temporaryUntil === '' ? states.temporary : states.temporaryUntil(minuteOf(temporaryUntil))}
        </Badge>
      )}
      {pendingEmail !== '' && <Badge tone="info">{states.pendingEmail(pendingEmail)}</Badge>}
    </div>
  )
}
