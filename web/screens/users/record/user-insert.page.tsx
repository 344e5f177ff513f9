import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { UseFormReturn } from 'react-hook-form'
import { registerUser } from '../../../../contract/users.ts'
import { CallError } from '../../../api/call-error.ts'
import { useMailingCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { askGrantReason } from '../../../forms/ask-grant-reason.tsx'
import { withPhone } from '../../../forms/bound-phone.tsx'
import { useCustomFields, withFields } from '../../../forms/custom-fields.ts'
import { withEnd } from '../../../forms/open-end.ts'
import { Form, useSchemaForm } from '../../../forms/form.tsx'
import { showRefusalOnField } from '../../../forms/show-refusal-on-field.ts'
import { useIdCheck } from '../../../forms/use-id-check.ts'
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FormActions } from '../../../ui/form-grid.tsx'
import layout from '../../../ui/layout.module.css'
import { AdminCard } from './admin-card.tsx'
import { BasicCard } from './basic-card.tsx'
import { DetailFields } from './detail-fields.tsx'
import { useRoles } from '../search/lists.ts'
import { ManagerPassword } from '../account/manager-password.tsx'
import { TeamFields } from './team-fields.tsx'
import { emptyRegistration, registration, type RegisterValues } from './register-values.ts'
import { NewPasswordFields } from '../../../forms/bound-password.tsx'
import { MailMissing } from '../account/mail-missing.tsx'
import { PasswordRules } from '../../account/password-rules.tsx'
import { classes } from '../../../ui/classes.ts'

/**
 * Shows the page /user/insert (rules/users#register): both cards with an optional password. Saving first checks the ID,
 * then asks for the manager's password, for confirmation and for the grant record, registers the user (`registerUser`),
 * and opens the new user. Without a password the user is invited by mail. Refusals appear at their field. If the user
 * has lost the permission (FUNCTION_DENIED), saving redirects to /. Asks before the user leaves with unsaved input.
 */
export default function UserInsert() {
  const { users, titles } = usePortalMessages()
  const t = users.register
  const navigate = useNavigate()
  const { mutateAsync } = useMailingCall(registerUser)
  const form = useSchemaForm(
    withFields(withPhone(withEnd(registration)), useCustomFields()),
    emptyRegistration(),
  )
  useAskedRole(form)
  const idCheck = useIdCheck(form, 'userId')
  const { allowLeave } = useLeaveGuard(form.formState.isDirty)
  // The values to register while the dialog asks for the manager's password.
  const [filled, setFilled] = useState<RegisterValues>()

  async function askPassword(values: RegisterValues): Promise<void> {
    // Registration stops silently, with the message at the field (rules/account#id-check).
    if (await idCheck.requireChecked()) setFilled(values)
  }

  async function register(values: RegisterValues, password: string): Promise<void> {
    if (!(await dialogs.confirm({ title: t.title, message: t.text }))) return setFilled(undefined)
    const reason = await askGrantReason(values.roleCode)
    if (reason === undefined) return setFilled(undefined)
    const { confirmation: _, password: first, ...fields } = values
    const isInvited = first === ''
    const {
      data: { userId },
      msg,
    } = await mutateAsync({
      ...fields,
      ...reason,
      ...(isInvited ? {} : { password: first }),
      managerPassword: password,
    })
    flushSync(() => setFilled(undefined))
    await dialogs.alert({ tone: 'success', message: isInvited ? `${t.done}\n${msg || t.invited}` : t.done })
    allowLeave()
    await navigate({ to: '/user/detail', state: { userId } })
  }

  async function tell(error: unknown): Promise<void> {
    // Close the dialog before the alert opens, so that the focus can return to the field.
    flushSync(() => setFilled(undefined))
    if (error instanceof CallError && error.code === 'FUNCTION_DENIED') {
      allowLeave()
      await showRefusal(error)
      return navigate({ to: '/', replace: true })
    }
    if (error instanceof CallError && error.code === 'USER_ID_TAKEN') idCheck.reset()
    await showRefusalOnField(error, form, {
      USER_ID_TAKEN: 'userId',
      EMPLOYEE_NUMBER_TAKEN: 'employeeNumber',
      EMAIL_TAKEN: 'email',
      AFFILIATION_CLOSED: 'affiliationCode',
      TEAM_NOT_FOUND: 'teamId',
      PARTNER_NOT_FOUND: 'partnerCode',
      PARTNER_STOPPED: 'partnerCode',
      PASSWORD_COMMON: 'password',
      PASSWORD_PERSONAL: 'password',
    })
  }

  async function goBack(): Promise<void> {
    if (!(await dialogs.confirm({ title: users.detail.backTitle, message: users.detail.backText }))) return
    allowLeave()
    await navigate({ to: '/user/search' })
  }

  return (
    <Page title={titles.userInsert}>
      <Form
        form={form}
        draft={{ about: '/user/insert', nameOf: ({ name }) => name }}
        onSubmit={askPassword}
        onWrong={idCheck.requireChecked}
        className={layout.contents}
      >
        <BasicCard
          idCheck={idCheck}
          canEditEmail
          leadsOn
          // Partner codes and main teams belong to an affiliation (rules/users#affiliation-change).
          onAffiliationChanged={() => {
            form.setValue('partnerCode', '')
            form.setValue('teamId', '')
          }}
          teams={
            <>
              <TeamFields />
              <DetailFields />
            </>
          }
        >
          <FirstPassword />
        </BasicCard>
        <AdminCard isNew />
        <FormActions start={<Button onClick={() => void goBack()}>{users.detail.back}</Button>}>
          <Button type="submit" variant="primary">
            {t.submit}
          </Button>
        </FormActions>
      </Form>
      {filled !== undefined && (
        <ManagerPassword
          text={users.register.managerText}
          onConfirm={(password) => register(filled, password)}
          onRefused={(error) => void tell(error)}
          onClose={() => setFilled(undefined)}
        />
      )}
    </Page>
  )
}

/**
 * Selects in the form the role in the URL, as the setup guide sets it, as soon as it is known that the user may grant
 * it.
 */
function useAskedRole({ resetField }: UseFormReturn<RegisterValues>): void {
  const { roleCode = '' } = useSearch({ from: '/framed/user/insert' })
  const mayGrant = useRoles().options.some(({ value }) => value === roleCode)
  useEffect(() => {
    if (mayGrant) resetField('roleCode', { defaultValue: roleCode })
  }, [mayGrant, roleCode, resetField])
}

/**
 * Shows the optional password of a new user (rules/users#invitation), its repetition, a warning if no mail can be sent,
 * and the password rules (rules/account#password-rules). Must be inside a `FormGrid`.
 */
function FirstPassword() {
  const { account: t, users } = usePortalMessages()
  return (
    <>
      <NewPasswordFields
        name="password"
        labels={[t.password, t.passwordAgain]}
        withoutText={users.register.withoutPassword}
      />
      <div className={classes(layout.fullRow, layout.stack)}>
        <MailMissing />
        <PasswordRules name="password" laterText={t.ruleCheckedOnRegistration} columns={2} />
      </div>
    </>
  )
}
