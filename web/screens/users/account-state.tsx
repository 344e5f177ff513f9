import { extendUser, liftSuspension } from '../../../contract/users.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FieldRow } from '../../ui/field.tsx'
import layout from '../../ui/layout.module.css'
import type { UserRecord } from './form-values.ts'

interface Props {
  record: UserRecord
  /** One click changed the account, or was refused because somebody else did: the record is read again. */
  onChanged: () => Promise<void>
}

/** Whether the account is in use or suspended, and the buttons that extend it or lift the suspension at once. */
export function AccountState({ record, onChanged }: Props) {
  const t = usePortalMessages().users.validity
  const extend = useCall(extendUser)
  const lift = useCall(liftSuspension)
  const { userId, name, validTo = '', extendedTo = '', suspended, lastLoginAt } = record
  const isSuspended = suspended

  async function change(work: () => Promise<string>): Promise<void> {
    try {
      await dialogs.alert({ tone: 'success', message: await work() })
    } catch (error) {
      await showRefusal(error)
    }
    await onChanged()
  }

  const onExtend = () =>
    change(async () => {
      const answer = await extend.mutateAsync({ userId, validTo })
      return t.extended(name, answer.validTo)
    })
  const onLift = () =>
    change(async () => {
      await lift.mutateAsync({ userId })
      return t.lifted(name)
    })

  return (
    <FieldRow label={t.state} isWide>
      <div className={layout.row}>
        <Badge tone={isSuspended ? 'danger' : 'neutral'}>{isSuspended ? t.isSuspended : t.isActive}</Badge>
        {isSuspended && (
          <Button size="small" isPending={lift.isPending} onClick={() => void onLift()}>
            {t.lift}
          </Button>
        )}
        {extendedTo !== '' && (
          <Button size="small" isPending={extend.isPending} onClick={() => void onExtend()}>
            {t.extendTo(extendedTo)}
          </Button>
        )}
        <span className={layout.hint}>
          {t.lastLogin}: {lastLoginAt?.slice(0, 16) || t.neverLoggedIn}
        </span>
      </div>
    </FieldRow>
  )
}
