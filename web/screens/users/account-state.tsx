import { usePortalMessages } from '../../language.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldRow } from '../../ui/field.tsx'
import layout from '../../ui/layout.module.css'
import type { UserRecord } from './form-values.ts'
import { useChangeUser } from './use-change-user.ts'

interface Props {
  record: UserRecord
  /** One click changed the account, or was refused because somebody else did: the record is read again. */
  onChanged: () => Promise<void>
}

/** Whether the account is in use or suspended, and the buttons that extend it or lift the suspension at once. */
export function AccountState({ record, onChanged }: Props) {
  const t = usePortalMessages().users.validity
  const { extend, lift, isExtending, isLifting } = useChangeUser(onChanged)
  const { validTo = '', extendedTo = '', suspended: isSuspended, lastLoginAt } = record
  return (
    <FieldRow label={t.state} isWide>
      <div className={layout.row}>
        <Badge tone={isSuspended ? 'danger' : 'neutral'}>{isSuspended ? t.isSuspended : t.isActive}</Badge>
        {isSuspended && (
          <Button size="small" isPending={isLifting} onClick={() => void lift(record)}>
            {t.lift}
          </Button>
        )}
        {extendedTo !== '' && (
          <Button size="small" isPending={isExtending} onClick={() => void extend({ ...record, validTo })}>
            {t.extendTo(extendedTo)}
          </Button>
        )}
        <span className={layout.hint}>
          {t.lastLogin}: {(lastLoginAt && minuteOf(lastLoginAt)) || t.neverLoggedIn}
        </span>
      </div>
    </FieldRow>
  )
}
