import { usePortalMessages } from '../../../language.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Button } from '../../../ui/button.tsx'
import { FieldRow } from '../../../ui/field.tsx'
import styles from './account-card.module.css'
import type { UserRecord } from '../record/form-values.ts'
import { useChangeUser } from '../record/use-change-user.tsx'

interface Props {
  record: UserRecord
  /** One click changed the account, or was refused because somebody else did: the record is read again. */
  onChanged: () => Promise<void>
}

/** When the account was last used, and the button that extends it at once. */
export function AccountState({ record, onChanged }: Props) {
  const t = usePortalMessages().users.validity
  const { extend, isExtending } = useChangeUser(onChanged)
  const { validTo = '', extendedTo = '', lastLoginAt } = record
  return (
    <FieldRow label={t.use} isWide>
      <div className={styles.states}>
        <span>
          {t.lastLogin}: {(lastLoginAt && minuteOf(lastLoginAt)) || t.neverLoggedIn}
        </span>
        {extendedTo !== '' && (
          <Button
            size="small"
            isPending={isExtending}
            onClick={() => void extend({ ...record, validTo, extendedTo })}
          >
            {t.extendTo(extendedTo)}
          </Button>
        )}
      </div>
    </FieldRow>
  )
}
