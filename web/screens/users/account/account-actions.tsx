import { useEffect, useRef, useState } from 'react'
import {
  endUserSessions,
  inviteUser,
  liftSuspension,
  removeUser,
  resetUser,
  unlockUser,
} from '../../../../contract/users.ts'
import { useCall, useMailingCall } from '../../../api/query.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FieldRow } from '../../../ui/field.tsx'
import { FormGrid } from '../../../ui/form-grid.tsx'
import { AccountBadges } from './account-badges.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { isApproved, type UserRecord } from '../record/form-values.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'
import styles from './account-card.module.css'

interface Props {
  record: UserRecord
  /** Called after an action, or after a refusal because another user acted first, so that the record is read again. */
  onChanged: () => Promise<void>
  onRemoved: () => Promise<void>
}

/**
 * The card “account” of /user/detail (rules/users#account-card): the state of the account, and the administrator actions on it.
 * Next to the user form and not inside it, because its dialogs are forms too.
 */
export function AccountActions({ record, onChanged, onRemoved }: Props) {
  const t = usePortalMessages().users.account
  const [open, setOpen] = useState<'suspend' | 'email' | SimpleAction>()
  const simple = useSimpleActions(record)
  const dialog = { onChanged, onClose: () => setOpen(undefined) }
  const place = useRef<HTMLElement>(null)
  const isUsed = useRef(false)
  // The action may have removed the button that had the keyboard focus.
  useEffect(() => {
    if (isUsed.current && document.activeElement === document.body) place.current?.focus()
    // Runs after the record has been read again.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [record])
  const isDisusedOnly = record.suspendedFor === 'DISUSE'

  const shown: { action: 'suspend' | 'email' | SimpleAction; isShown: boolean; isDanger?: boolean }[] = [
    { action: 'unlock', isShown: record.lockedUntil !== '' || record.passwordDisabled === true },
    { action: 'lift', isShown: record.suspended === true },
    { action: 'invite', isShown: record.invited === true },
    { action: 'reset', isShown: record.invited !== true },
    { action: 'sessions', isShown: isApproved(record) && record.invited !== true },
    { action: 'email', isShown: true },
    { action: 'suspend', isShown: record.suspended !== true || isDisusedOnly, isDanger: true },
    { action: 'remove', isShown: record.removable === true, isDanger: true },
  ]

  return (
    <Card title={t.title} ref={place}>
      <FormGrid columns={1}>
        <FieldRow label={t.state}>
          <AccountBadges record={record} />
        </FieldRow>
        <FieldRow label={t.actions}>
          <div className={styles.states}>
            {shown
              .filter(({ isShown }) => isShown)
              .map(({ action, isDanger }) => (
                <Button
                  key={action}
                  size="small"
                  variant={isDanger ? 'danger' : undefined}
                  onClick={() => {
                    isUsed.current = true
                    setOpen(action)
                  }}
                >
                  {t[action].open}
                </Button>
              ))}
          </div>
        </FieldRow>
      </FormGrid>
      {open === 'suspend' && <SuspendDialog record={record} {...dialog} />}
      {open === 'email' && <EmailDialog record={record} {...dialog} />}
      {open !== undefined && open in simple && (
        <ReasonDialog
          {...dialog}
          about={record.userId}
          {...simple[open as SimpleAction]}
          onChanged={open === 'remove' ? onRemoved : onChanged}
        />
      )}
    </Card>
  )
}

type SimpleAction = keyof ReturnType<typeof useSimpleActions>

/** Returns the actions that require only a reason, with their questions and their success messages. */
function useSimpleActions({ userId, name, email }: UserRecord) {
  const t = usePortalMessages().users.account
  const calls = {
    unlock: useCall(unlockUser),
    lift: useCall(liftSuspension),
    reset: useMailingCall(resetUser),
    sessions: useCall(endUserSessions),
    invite: useMailingCall(inviteUser),
    remove: useCall(removeUser),
  }
  const words = (action: keyof typeof calls) => ({ title: t[action].title, submitLabel: t[action].submit })
  const asked = (reason: string) => ({ userId, reason })
  return {
    unlock: {
      ...words('unlock'),
      lead: t.unlock.lead(name),
      async act(reason: string) {
        await calls.unlock.mutateAsync(asked(reason))
        return t.unlock.done(name)
      },
    },
    lift: {
      ...words('lift'),
      lead: t.lift.lead(name),
      async act(reason: string) {
        await calls.lift.mutateAsync(asked(reason))
        return t.lift.done(name)
      },
    },
    reset: {
      ...words('reset'),
      lead: t.reset.lead(email),
      async act(reason: string) {
        const { msg } = await calls.reset.mutateAsync(asked(reason))
        return msg || t.reset.done(email)
      },
    },
    sessions: {
      ...words('sessions'),
      lead: t.sessions.lead(name),
      async act(reason: string) {
        return t.sessions.done((await calls.sessions.mutateAsync(asked(reason))).endedCount)
      },
    },
    invite: {
      ...words('invite'),
      lead: t.invite.lead(email),
      async act(reason: string) {
        const { msg } = await calls.invite.mutateAsync(asked(reason))
        return msg || t.invite.done(email)
      },
    },
    remove: {
      ...words('remove'),
      lead: t.remove.lead(userId),
      isDanger: true,
      async act(reason: string) {
        await calls.remove.mutateAsync(asked(reason))
        return t.remove.done(userId)
      },
    },
  }
}
