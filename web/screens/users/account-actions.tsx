import { useState } from 'react'
import { liftSuspension } from '../../../contract/users.ts'
import { useCall } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FieldRow } from '../../ui/field.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { AccountBadges } from './account-badges.tsx'
import type { UserRecord } from './form-values.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import layout from '../../ui/layout.module.css'

interface Props {
  record: UserRecord
  /** Something was done, or refused because somebody else did it: the record is read again. */
  onChanged: () => Promise<void>
}

type Action = 'suspend' | 'lift'

/**
 * The card 'account' of /user/detail (rules/users#account-card): what the account is by now, and what somebody who may
 * administer it does for its owner. Beside the user form, not inside: its dialogs are forms of their own.
 */
export function AccountActions({ record, onChanged }: Props) {
  const t = usePortalMessages().users.account
  const [open, setOpen] = useState<Action>()
  const lift = useCall(liftSuspension)
  const { userId, name, suspended: isSuspended = false, suspendedFor = '' } = record
  const close = () => setOpen(undefined)
  const dialog = { onChanged, onClose: close }

  return (
    <Card title={t.title}>
      <FormGrid columns={1}>
        <FieldRow label={t.state}>
          <AccountBadges record={record} />
        </FieldRow>
        <FieldRow label={t.actions}>
          <div className={layout.row}>
            {isSuspended && (
              <Button size="small" onClick={() => setOpen('lift')}>
                {t.lift.open}
              </Button>
            )}
            {(!isSuspended || suspendedFor === 'DISUSE') && (
              <Button size="small" variant="danger" onClick={() => setOpen('suspend')}>
                {t.suspend.open}
              </Button>
            )}
          </div>
        </FieldRow>
      </FormGrid>
      {open === 'suspend' && <SuspendDialog record={record} {...dialog} />}
      {open === 'lift' && (
        <ReasonDialog
          {...dialog}
          title={t.lift.title}
          lead={t.lift.lead(name)}
          submitLabel={t.lift.submit}
          act={async (reason) => {
            await lift.mutateAsync({ userId, reason })
            return t.lift.done(name)
          }}
        />
      )}
    </Card>
  )
}
