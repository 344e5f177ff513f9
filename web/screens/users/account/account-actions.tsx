import { useRef, useState } from 'react'
import {
  endUserSessions,
  inviteUser,
  liftSuspension,
  removeUser,
  resetUser,
  SUSPENDED_FOR,
  suspendUser,
  unlockUser,
} from '../../../../contract/users.ts'
import { call, callWithMessage } from '../../../api/client.ts'
import { undoBy } from '../../../forms/undo.ts'
import { usePortalMessages } from '../../../language.tsx'
import type { Success } from '../../../ui/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FieldRow } from '../../../ui/field.tsx'
import { focusReturned } from '../../../ui/focus-returned.ts'
import { FormGrid } from '../../../ui/form-grid.tsx'
import { EmailDialog, ReasonDialog, SuspendDialog } from './account-dialogs.tsx'
import { isApproved, type UserRecord } from '../record/form-values.ts'
import styles from './account-card.module.css'
import { isRunnersName } from '../../../../contract/reserved-names.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { minuteOf } from '../../../lists/columns.ts'
import { Badge } from '../../../ui/badge.tsx'
import layout from '../../../ui/layout.module.css'

interface Props {
  record: UserRecord
  /** Called after an action, or after a refusal because another user acted first, so that the record is read again. */
  onChanged: () => Promise<void>
  onRemoved: () => Promise<void>
}

/**
 * Shows the card “account” of /user/detail (rules/users#account-card): the state of the account, and a button for each
 * administrator action that its state allows. Each opens a dialog that asks for confirmation. Place it next to the user
 * form and not inside it, because its dialogs are forms too.
 */
export function AccountActions({ record, onChanged, onRemoved }: Props) {
  const t = usePortalMessages().users.account
  const [open, setOpen] = useState<'suspend' | 'email' | SimpleAction>()
  const simple = useSimpleActions(record, onChanged)
  const place = useRef<HTMLElement>(null)
  const dialog = {
    async onChanged() {
      await onChanged()
      // The action may have removed the button to which the closed dialog returns the keyboard focus.
      await focusReturned()
      if (document.activeElement === document.body) place.current?.focus()
    },
    onClose: () => setOpen(undefined),
  }
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
                  onClick={() => setOpen(action)}
                >
                  {t[action].open}
                </Button>
              ))}
          </div>
        </FieldRow>
      </FormGrid>
      {open === 'suspend' && <SuspendDialog record={record} {...dialog} />}
      {open === 'email' && <EmailDialog record={record} {...dialog} />}
      {open !== undefined && open !== 'suspend' && open !== 'email' && (
        <ReasonDialog
          {...dialog}
          about={record.userId}
          title={t[open].title}
          submitLabel={t[open].submit}
          isDanger={open === 'remove'}
          {...simple[open]}
          {...(open === 'remove' && { onChanged: onRemoved })}
        />
      )}
    </Card>
  )
}

type SimpleAction = keyof ReturnType<typeof useSimpleActions>

interface ActionTexts {
  lead: (whom: string) => string
  done: (whom: string) => string
}

/**
 * Returns the actions that require only a reason: the question of each, and its call, which returns the success
 * message. Lifting a suspension also offers an undo, except for one for inactivity.
 */
function useSimpleActions(record: UserRecord, onChanged: () => Promise<void>) {
  const { userId, name, email, suspendedFor, suspendedReason = '' } = record
  const t = usePortalMessages().users.account
  const actionOf = (
    { lead, done }: ActionTexts,
    whom: string,
    endpoint:
      typeof unlockUser | typeof liftSuspension | typeof resetUser | typeof inviteUser | typeof removeUser,
  ) => ({
    lead: lead(whom),
    act: async (reason: string) => (await callWithMessage(endpoint, { userId, reason })).msg || done(whom),
  })
  // An inactive account cannot be suspended for inactivity again.
  const suspendedBy = Object.values(SUSPENDED_FOR).find((why) => why === suspendedFor)
  const suspendAgain = (why: NonNullable<typeof suspendedBy>) =>
    undoBy(() => call(suspendUser, { userId, suspendedFor: why, reason: suspendedReason }), onChanged)
  const lift = actionOf(t.lift, name, liftSuspension)
  return {
    unlock: actionOf(t.unlock, name, unlockUser),
    lift: {
      ...lift,
      act: async (reason: string): Promise<Success> => ({
        message: await lift.act(reason),
        undo: suspendedBy && suspendAgain(suspendedBy),
      }),
    },
    reset: actionOf(t.reset, email, resetUser),
    invite: actionOf(t.invite, email, inviteUser),
    remove: actionOf(t.remove, userId, removeUser),
    sessions: {
      lead: t.sessions.lead(name),
      act: async (reason: string) =>
        t.sessions.done((await call(endUserSessions, { userId, reason })).endedCount),
    },
  }
}

/**
 * Shows as badges whether the account may be used today, and each obstacle (rules/users#account-state). Also warns of a
 * name like that of the operator on an account that is no 관리자.
 */
function AccountBadges({ record }: { record: UserRecord }) {
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
