import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getAuthority } from '../../../../contract/common.ts'
import type { PasswordOwner } from '../../../../contract/password-weakness.ts'
import { getUser, withdrawUser } from '../../../../contract/users.ts'
import { usePortalConfig } from '../../../api/config.ts'
import { invalidate, recordQuery, useCall } from '../../../api/query.ts'
import { PasswordGate, type GateKeeper } from '../../../layout/password-gate.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { endSession, renameSession } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Page, Card } from '../../../ui/card.tsx'
import { LazyCard } from '../../../ui/lazy-card.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { PasswordForm } from '../../account/password-form.tsx'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { DevicesCard, EmailCard, SharingCard } from './own-cards.tsx'
import { Sections } from './sections.tsx'
import { RecordStates } from '../../../forms/record-states.tsx'
import { UserForm } from '../record/user-form.tsx'
import { cancelAffiliationChange } from '../../../../contract/approvals.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { minuteOf } from '../../../lists/columns.ts'
import { dialogs } from '../../../ui/dialogs.ts'
import type { UserRecord } from '../record/form-values.ts'
import layout from '../../../ui/layout.module.css'
import { exportOwnData } from '../../../../contract/users/own-data.ts'
import { callForFile } from '../../../api/call-for-file.ts'
import { saveContent } from '../../../api/download.ts'
import { today } from '../../../forms/today.ts'
import { useBusy } from '../../../forms/use-busy.tsx'

/** Loads the card of the second factors. */
const loadFactors = () => import('../../account/factors.tsx')
/** Loads the card of single sign-on. */
const loadLinks = () => import('../../account/sso-links.tsx')
/** Loads the card of program tokens. */
const loadPrograms = () => import('../../keys/program-rows.tsx')
/** Loads the card of who accessed the user's data. */
const loadOwnAccess = () => import('../../audit/own-access-rows.tsx')

/**
 * Shows the page /mypage (rules/users#own-page): the forms and cards of the user's own account, after the password
 * gate.
 */
export default function MyPage() {
  const title = usePortalMessages().titles.myPage
  return (
    <Page title={title}>
      <PasswordGate>{({ guarded }) => <OwnRecord guarded={guarded} />}</PasswordGate>
    </Page>
  )
}

/**
 * Loads the user's own record and shows it in the sections of /mypage. A loading or error state replaces them until
 * then. Also shows the dialog for the password, which its button or the hash `#password` of the URL opens.
 */
function OwnRecord({ guarded }: GateKeeper) {
  const { users, factors, ssoLinks, programs, ownAccess } = usePortalMessages()
  const { sso } = usePortalConfig()
  const { password: passwordTexts, detail: t } = users
  const [isResetting, setResetting] = useState(false)
  // The command palette opens the modal by URL; each navigation has its own key.
  const linkKey = useLocation({
    select: ({ hash, state }) => (hash === 'password' ? state.__TSR_key : undefined),
  })
  const [closedKey, setClosedKey] = useState<string>()
  const user = useQuery(recordQuery(getUser, { userId: '' }))
  const { data: record, error } = user

  useShowRefusal(error)

  if (!record) return <RecordStates query={user} title={t.basicInfo} loading={t.loading} failed={t.failed} />
  return (
    <Sections
      record={record}
      profile={
        <>
          {record.affiliationRequest && (
            <OpenRequest
              request={record.affiliationRequest}
              guarded={guarded}
              onDone={async () => void (await user.refetch())}
            />
          )}
          <UserForm
            record={record}
            isOwn
            reload={async () => (await user.refetch()).data}
            guarded={guarded}
            onSaved={async (savedId) => {
              if (savedId !== record.userId) renameSession(savedId)
              void invalidate(getAuthority)
              return (await user.refetch()).data
            }}
          />
          <EmailCard
            key={record.email}
            email={record.email}
            guarded={guarded}
            onChanged={async () => {
              await user.refetch()
            }}
          />
        </>
      }
      security={
        <>
          <Card
            title={passwordTexts.title}
            actions={
              <Button size="small" onClick={() => setResetting(true)}>
                {passwordTexts.open}
              </Button>
            }
          >
            <p className={layout.quiet}>{users.own.passwordLead}</p>
          </Card>
          <LazyCard texts={factors} load={loadFactors}>
            {(part) => <part.Factors guarded={guarded} />}
          </LazyCard>
          {sso && (
            <LazyCard texts={ssoLinks} load={loadLinks}>
              {(part) => <part.SsoLinks guarded={guarded} />}
            </LazyCard>
          )}
          <DevicesCard guarded={guarded} />
        </>
      }
      sharing={<SharingCard guarded={guarded} />}
      programs={
        <LazyCard texts={programs} load={loadPrograms}>
          {(part) => <part.ProgramRows guarded={guarded} />}
        </LazyCard>
      }
      data={
        <>
          <LazyCard texts={ownAccess} load={loadOwnAccess}>
            {(part) => <part.OwnAccessRows />}
          </LazyCard>
          <OwnDataCard guarded={guarded} />
          <WithdrawalCard userId={record.userId} guarded={guarded} />
        </>
      }
    >
      {(isResetting || (linkKey !== undefined && linkKey !== closedKey)) && (
        <ResetPassword
          person={{ userId: record.userId, phoneNumber: record.phoneNumber, email: record.email }}
          onClose={() => {
            setResetting(false)
            setClosedKey(linkKey)
          }}
        />
      )}
    </Sections>
  )
}

/**
 * Shows the last card of /mypage, which withdraws the user's own account after a question (`withdrawUser`), ends the
 * session and opens the login page (rules/users#own-page). A refusal leaves everything unchanged.
 */
function WithdrawalCard({ userId, guarded }: GateKeeper & { userId: string }) {
  const { detail: t, own } = usePortalMessages().users
  const navigate = useNavigate()
  const withdraw = useCall(withdrawUser)
  const { during, overlay } = useBusy()

  async function ask(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.withdrawTitle, message: t.withdrawOwnText, isDanger: true })))
      return
    try {
      await guarded(() => during(t.withdrawing, () => withdraw.mutateAsync({ userId })))
    } catch (error) {
      await showRefusal(error)
      return
    }
    await dialogs.alert({ tone: 'success', message: t.withdrawn })
    // The server has ended the session with the account, so there is nothing left to log out of.
    endSession()
    await navigate({ to: '/login', replace: true })
  }

  return (
    <Card
      title={t.withdrawTitle}
      actions={
        <Button size="small" variant="danger" onClick={() => void ask()}>
          {t.withdraw}
        </Button>
      }
    >
      <p className={layout.quiet}>{own.withdrawLead}</p>
      {overlay}
    </Card>
  )
}

/**
 * Shows the modal 'change password', 800 px wide, in which users change their own password
 * (rules/account#password-change). Place it next to the user form, not inside it: React passes the submit of a form in
 * a portal to the form around it.
 */
function ResetPassword({ person, onClose }: { person: PasswordOwner; onClose: () => void }) {
  const { users, forms } = usePortalMessages()
  return (
    <Dialog title={users.password.title} width="wide" closeLabel={forms.close} onClose={onClose}>
      <PasswordForm person={person} onChanged={onClose} onCancel={onClose} cancelLabel={forms.cancel} />
    </Dialog>
  )
}

interface RequestProps extends GateKeeper {
  request: NonNullable<UserRecord['affiliationRequest']>
  /** Called after the request was canceled or decided, so that the record is read again. */
  onDone: () => Promise<void>
}

/**
 * Shows the user's open request for another affiliation, with a button that cancels it (`cancelAffiliationChange`)
 * after a question (rules/users#affiliation-change).
 */
function OpenRequest({ request, guarded, onDone }: RequestProps) {
  const t = usePortalMessages().users.form
  const cancel = useCall(cancelAffiliationChange)

  async function takeBack(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.cancelTitle, message: t.cancelText(request.newAffiliationName) })))
      return
    try {
      await guarded(() => cancel.mutateAsync({}))
    } catch (error) {
      await showRefusal(error)
    }
    await onDone()
  }

  return (
    <div className={layout.row}>
      <output>{t.openRequest(request.newAffiliationName, minuteOf(request.requestedAt))}</output>
      <Button size="small" isPending={cancel.isPending} onClick={() => void takeBack()}>
        {t.cancelRequest}
      </Button>
    </div>
  )
}

/**
 * Shows the card 'Download my data' of /mypage, whose button saves all data of the user as a JSON file named with
 * today's date (`exportOwnData`, rules/retention#own-data).
 */
function OwnDataCard({ guarded }: GateKeeper) {
  const t = usePortalMessages().ownData
  const { during, overlay } = useBusy()

  async function download(): Promise<void> {
    try {
      const content = await guarded(() => during(t.busy, () => callForFile(exportOwnData, {})))
      saveContent(content, `${t.fileName}_${today()}.json`)
    } catch (refusal) {
      await showRefusal(refusal)
    }
  }

  return (
    <Card
      title={t.title}
      actions={
        <Button size="small" onClick={() => void download()}>
          {t.start}
        </Button>
      }
    >
      <p className={layout.lead}>{t.lead}</p>
      {overlay}
    </Card>
  )
}
