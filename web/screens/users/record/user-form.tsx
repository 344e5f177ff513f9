import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { updateUser, userForm, withdrawUser } from '../../../../contract/users.ts'
import { CallError } from '../../../api/call-error.ts'
import { useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FormActions } from '../../../ui/form-grid.tsx'
import layout from '../../../ui/layout.module.css'
import { Form, useSchemaForm } from '../../../forms/form.tsx'
import { useBusy } from '../../../forms/use-busy.tsx'
import { showRefusalOnField } from '../../../forms/refusal.ts'
import { useIdCheck } from '../../../forms/use-id-check.ts'
import { AccountState } from '../account/account-state.tsx'
import { AdminCard } from './admin-card.tsx'
import { BasicCard } from './basic-card.tsx'
import { hasAdminCard, isApproved, valuesOf, type UserFormValues, type UserRecord } from './form-values.ts'
import { useBaseRecord } from './use-base-record.tsx'
import { isFromMain } from '../search/search-memory.ts'
import { WithdrawQuestion } from '../account/withdraw-question.tsx'
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts'

interface Props {
  record: UserRecord
  /** True on the user's own page (rules/users#own-page): no back button, closing the account without an approval, and `ownActions`. */
  isOwn: boolean
  ownActions?: ReactNode
  /** Runs a call that the server may refuse until the password was proven again. */
  guarded?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
  /** Reads the record again after it was saved under this ID; the new one, or undefined when it failed. */
  onSaved: (userId: string) => Promise<UserRecord | undefined>
  onWithdrawn: () => Promise<void>
  /** Reads the record again. @returns undefined on failure, after showing the error */
  reload: () => Promise<UserRecord | undefined>
}

const unguarded = <T,>(work: () => Promise<T>) => work()

/** The user form of /user/detail and /mypage: the cards and their actions. */
export function UserForm(props: Props) {
  const { record, isOwn, ownActions, guarded = unguarded, onSaved, onWithdrawn, reload } = props
  const { detail: t, form: texts } = usePortalMessages().users
  const navigate = useNavigate()
  const router = useRouter()
  const update = useCall(updateUser)
  const withdraw = useCall(withdrawUser)
  const form = useSchemaForm(userForm, valuesOf(record))
  const idCheck = useIdCheck(form, 'userId', { original: record.userId })
  const base = useBaseRecord(form, record, reload)
  const { during, overlay } = useBusy()
  const { allowLeave, guard } = useLeaveGuard(form.formState.isDirty)

  async function save(values: UserFormValues): Promise<void> {
    // Registration and edit stop silently, with the message at the field (rules/account#id-check).
    if (!idCheck.requireChecked()) return
    const asks = record.affiliationByRequest === true && values.affiliationCode !== record.affiliationCode
    const question = asks
      ? { title: texts.askTitle, message: texts.askText }
      : { title: t.saveTitle, message: t.saveText }
    if (!(await dialogs.confirm(question))) return
    try {
      const saved = await guarded(() =>
        during(t.saving, () =>
          update.mutateAsync({ originalUserId: record.userId, ...values, version: base.version }),
        ),
      )
      await dialogs.alert({ tone: 'success', message: saved.requestId === undefined ? t.saved : texts.asked })
      allowLeave()
      const fresh = await onSaved(saved.userId)
      if (fresh) base.begin(fresh)
      guard()
    } catch (error) {
      if (error instanceof CallError && error.code === 'RECORD_CHANGED') return base.tellChanged()
      await showRefusalOnField(error, form, {
        USER_ID_TAKEN: 'userId',
        RENAMES_USED: 'userId',
        EMAIL_READ_ONLY: 'email',
        AFFILIATION_CLOSED: 'affiliationCode',
        PARTNER_NOT_FOUND: 'partnerCode',
        PARTNER_STOPPED: 'partnerCode',
      })
    }
  }

  async function askToWithdraw(): Promise<void> {
    let withdrawnReason = ''
    const message = isOwn ? (
      t.withdrawOwnText
    ) : (
      <WithdrawQuestion
        text={t.withdrawText(`${record.name} (${record.userId})`)}
        onReason={(typed) => (withdrawnReason = typed)}
      />
    )
    if (!(await dialogs.confirm({ title: t.withdrawTitle, message, isDanger: true }))) return
    try {
      await guarded(() =>
        during(t.withdrawing, () => withdraw.mutateAsync({ userId: record.userId, withdrawnReason })),
      )
    } catch (error) {
      await showRefusal(error)
      return
    }
    await dialogs.alert({ tone: 'success', message: t.withdrawn })
    allowLeave()
    await onWithdrawn()
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
          leadsOn={hasAdminCard(record)}
          onAffiliationChanged={() => {
            // The partner codes belong to the affiliation (rules/users#affiliation-change).
            if (hasAdminCard(record)) form.setValue('partnerCode', '', { shouldDirty: true })
          }}
        />
        {hasAdminCard(record) && (
          <AdminCard state={<AccountState record={record} onChanged={base.follow} />} />
        )}
        <FormActions
          start={
            <>
              {!isOwn && <Button onClick={() => void goBack()}>{t.back}</Button>}
              {(isOwn || isApproved(record)) && (
                <Button variant="danger" onClick={() => void askToWithdraw()}>
                  {t.withdraw}
                </Button>
              )}
            </>
          }
        >
          {ownActions}
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
