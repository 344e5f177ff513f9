import { useNavigate, useRouter } from '@tanstack/react-router'
import {
  countBelongings,
  listUsers,
  restoreUser,
  updateUser,
  userForm,
  withdrawUser,
} from '../../../../contract/users.ts'
import { CallError } from '../../../api/call-error.ts'
import { call } from '../../../api/client.ts'
import { invalidate, useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FormActions } from '../../../ui/form-grid.tsx'
import layout from '../../../ui/layout.module.css'
import { showToast } from '../../../ui/toasts.ts'
import { askGrantReason } from '../../../forms/ask-grant-reason.tsx'
import { undoBy } from '../../../forms/undo.ts'
import { Form, useSchemaForm } from '../../../forms/form.tsx'
import { withEnd } from '../../../forms/open-end.ts'
import { withPhone } from '../../../forms/bound-phone.tsx'
import { useCustomFields, withFields } from '../../../forms/custom-fields.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import { showRefusalOnField } from '../../../forms/show-refusal-on-field.ts'
import { useIdCheck } from '../../../forms/use-id-check.ts'
import { AdminCard } from './admin-card.tsx'
import { BasicCard } from './basic-card.tsx'
import { DetailFields } from './detail-fields.tsx'
import { hasAdminCard, isApproved, valuesOf, type UserFormValues, type UserRecord } from './form-values.ts'
import { OwnTeams, TeamFields } from './team-fields.tsx'
import { useBaseRecord } from './use-base-record.tsx'
import { isFromMain } from '../search/search-memory.ts'
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts'
import { minuteOf } from '../../../lists/columns.ts'
import { FieldRow } from '../../../ui/field.tsx'
import accountStyles from '../account/account-card.module.css'
import { WithdrawQuestion, type WithdrawAnswer } from './withdraw-question.tsx'
import { useChangeUser } from './use-change-user.tsx'

interface Props {
  record: UserRecord
  /** True on the user's own page (rules/users#own-page), which has no back button. */
  isOwn: boolean
  /** Runs a call, and asks for the password if the server refuses it without. Missing on pages of other users. */
  guarded?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
  /** Called after the record was saved under this ID; reads it again. @returns undefined on failure */
  onSaved: (userId: string) => Promise<UserRecord | undefined>
  /** Missing on the user's own page, which has its own card for the withdrawal. */
  onWithdrawn?: () => Promise<void>
  /** Reads the record again. @returns undefined on failure, after showing the error */
  reload: () => Promise<UserRecord | undefined>
}

/** Runs a call without a password prompt, on pages of other users. */
const unguarded = <T,>(work: () => Promise<T>) => work()

/**
 * Shows the user form of /user/detail and /mypage: its cards and the actions save, back and withdraw. Saving
 * (`updateUser`) asks for confirmation and, for another role or approval, for the grant record. RECORD_CHANGED opens
 * the comparison with the other user's version; other refusals appear at their field. Withdraw is only there for an
 * approved account of another user. It asks first, calls `withdrawUser`, and offers an undo unless keys were revoked.
 * Asks before the user leaves with unsaved input.
 */
export function UserForm(props: Props) {
  const { record, isOwn, guarded = unguarded, onSaved, onWithdrawn, reload } = props
  const { forms, users } = usePortalMessages()
  const { detail: t, form: texts } = users
  const navigate = useNavigate()
  const router = useRouter()
  const update = useCall(updateUser)
  const withdraw = useCall(withdrawUser)
  const form = useSchemaForm(
    withFields(withPhone(withEnd(userForm), record.phoneNumber), useCustomFields(), record),
    valuesOf(record),
  )
  const idCheck = useIdCheck(form, 'userId', { original: record.userId })
  const base = useBaseRecord(form, record, reload)
  const { during, overlay } = useBusy()
  const { allowLeave, guard } = useLeaveGuard(form.formState.isDirty)

  async function save(values: UserFormValues): Promise<void> {
    // Registration and edit stop silently, with the message at the field (rules/account#id-check).
    if (!(await idCheck.requireChecked())) return
    const asks = record.affiliationByRequest === true && values.affiliationCode !== record.affiliationCode
    const question = asks
      ? { title: texts.askTitle, message: texts.askText }
      : { title: t.saveTitle, message: t.saveText }
    if (!(await dialogs.confirm(question))) return
    const isGrant = values.roleCode !== record.roleCode || values.approvalCode !== record.approvalCode
    const reason = isGrant ? await askGrantReason(values.roleCode) : {}
    if (reason === undefined) return
    try {
      const saved = await guarded(() =>
        during(t.saving, () =>
          update.mutateAsync({
            originalUserId: record.userId,
            ...values,
            ...reason,
            version: base.version,
          }),
        ),
      )
      await dialogs.alert({ tone: 'success', message: saved.requestId === undefined ? t.saved : texts.asked })
      allowLeave()
      const sent = structuredClone(form.getValues())
      const fresh = await onSaved(saved.userId)
      if (fresh) base.begin(fresh, sent)
      // A role with more permissions replaces the invitation (rules/roles#former-controllers).
      if (fresh?.invited && fresh.invitationEnds !== record.invitationEnds) showToast(t.invitedAgain)
      guard()
    } catch (error) {
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') return base.tellChanged()
      await showRefusalOnField(error, form, {
        USER_ID_TAKEN: 'userId',
        RENAMES_USED: 'userId',
        EMPLOYEE_NUMBER_TAKEN: 'employeeNumber',
        EMAIL_READ_ONLY: 'email',
        PROFILE_READ_ONLY: 'name',
        AFFILIATION_CLOSED: 'affiliationCode',
        TEAM_NOT_FOUND: 'teamId',
        PARTNER_NOT_FOUND: 'partnerCode',
        PARTNER_STOPPED: 'partnerCode',
      })
    }
  }

  async function askToWithdraw(afterwards: () => Promise<void>): Promise<void> {
    const { userId, name } = record
    const belongings = await during(forms.loading, () =>
      call(countBelongings, { userId }, { inline: 'serverFailure' }),
    ).catch(() => undefined)
    let answer: WithdrawAnswer = {
      withdrawnReason: '',
      keysRevoked: belongings !== undefined && belongings.keyCount > 0,
    }
    let askReason: (() => void) | undefined
    const message = (
      <WithdrawQuestion
        text={t.withdrawText(`${name} (${userId})`)}
        belongings={belongings}
        proposed={answer}
        onAnswer={(given, ask) => {
          answer = given
          askReason = ask
        }}
      />
    )
    const mayConfirm = () => {
      const isReasonMissing = answer.keysRevoked && answer.withdrawnReason.trim() === ''
      if (isReasonMissing) askReason?.()
      return !isReasonMissing
    }
    if (!(await dialogs.confirm({ title: t.withdrawTitle, message, isDanger: true, mayConfirm }))) return
    try {
      await during(t.withdrawing, () => withdraw.mutateAsync({ userId, ...answer }))
    } catch (error) {
      await showRefusal(error)
      return
    }
    const revoked = answer.keysRevoked && belongings && t.keysRevoked(belongings.keyCount.toLocaleString())
    const said = [t.withdrawn, revoked].filter(Boolean).join('\n')
    await dialogs.alert({ tone: 'success', message: said })
    allowLeave()
    await afterwards()
    // Revoked keys stay revoked.
    if (answer.keysRevoked) return
    showToast({
      message: t.withdrawnName(name),
      undo: undoBy(
        () => call(restoreUser, { userId }),
        () => invalidate(listUsers),
      ),
    })
  }

  async function goBack(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.backTitle, message: t.backText }))) return
    allowLeave()
    const { backTo } = router.state.location.state
    await navigate({ to: backTo ?? (isFromMain() ? '/main' : '/user/search') })
  }

  return (
    <>
      <Form
        form={form}
        draft={{
          about: `user ${record.userId}`,
          href: isOwn ? '/mypage' : `/user/detail?userId=${record.userId}`,
          nameOf: () => record.name,
        }}
        onSubmit={save}
        onWrong={idCheck.requireChecked}
        className={layout.contents}
      >
        <BasicCard
          idCheck={idCheck}
          savedAffiliation={record.affiliationCode}
          isAskedFor={record.affiliationByRequest}
          isProfileReadOnly={record.profileReadOnly}
          leadsOn={hasAdminCard(record)}
          onAffiliationChanged={() => {
            // Partner codes and main teams belong to an affiliation (rules/users#affiliation-change).
            if (!hasAdminCard(record)) return
            form.setValue('partnerCode', '', { shouldDirty: true })
            form.setValue('teamId', '', { shouldDirty: true })
          }}
          teams={
            <>
              {hasAdminCard(record) ? <TeamFields record={record} /> : isOwn && <OwnTeams record={record} />}
              <DetailFields record={record} isOwn={isOwn} />
            </>
          }
        />
        {hasAdminCard(record) && (
          <AdminCard state={<AccountState record={record} onChanged={base.follow} />} />
        )}
        <FormActions
          start={
            <>
              {!isOwn && <Button onClick={() => void goBack()}>{t.back}</Button>}
              {onWithdrawn !== undefined && isApproved(record) && (
                <Button variant="danger" onClick={() => void askToWithdraw(onWithdrawn)}>
                  {t.withdraw}
                </Button>
              )}
            </>
          }
        >
          <Button type="submit" variant="primary">
            {t.save}
          </Button>
        </FormActions>
      </Form>
      {base.dialog}
      {overlay}
    </>
  )
}

interface StateProps {
  record: UserRecord
  /** Called after the account was extended or this failed, so that the record is read again. */
  onChanged: () => Promise<void>
}

/**
 * Shows the last login of the account, and a button that extends the account to a day that the user confirms
 * (`extendUser`). Accounts without an end have no button.
 */
function AccountState({ record, onChanged }: StateProps) {
  const t = usePortalMessages().users.validity
  const { extend, isExtending } = useChangeUser(onChanged)
  const { validTo = '', extendedTo = '', lastLoginAt } = record
  return (
    <FieldRow label={t.use} isWide>
      <div className={accountStyles.states}>
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
