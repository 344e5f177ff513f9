import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getAuthority } from '../../../../contract/common.ts'
import type { PasswordOwner } from '../../../../contract/password-weakness.ts'
import { getUser } from '../../../../contract/users.ts'
import { invalidate, recordQuery } from '../../../api/query.ts'
import { PasswordGate, type GateKeeper } from '../../../frame/password-gate.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { endSession, renameSession } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { PasswordForm } from '../../account/password-form.tsx'
import { useShowRefusal } from '../../../forms/refusal.ts'
import { OwnAccessCard } from '../../audit/own-access.tsx'
import { ProgramsCard } from '../../keys/programs-card.tsx'
import { FactorsCard } from '../../account/factors-card.tsx'
import { DevicesCard } from './devices-card.tsx'
import { EmailCard } from '../account/email-card.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { OpenRequest } from '../account/open-request.tsx'
import { RecordStates } from '../../../forms/record-states.tsx'
import { SharingCard } from './sharing-card.tsx'
import { UserForm } from '../record/user-form.tsx'

/** /mypage (rules/users#own-page): the user form for your own record, behind the password re-entry gate. */
export default function MyPage() {
  const title = usePortalMessages().titles.myPage
  return (
    <Page title={title}>
      <PasswordGate>{({ guarded }) => <OwnRecord guarded={guarded} />}</PasswordGate>
    </Page>
  )
}

function OwnRecord({ guarded }: GateKeeper) {
  const { password: passwordTexts, detail: t } = usePortalMessages().users
  const navigate = useNavigate()
  const [isResetting, setResetting] = useState(false)
  const user = useQuery(recordQuery(getUser, { userId: '' }))
  const { data: record, error } = user

  useShowRefusal(error)

  if (!record) return <RecordStates query={user} title={t.basicInfo} loading={t.loading} failed={t.failed} />
  return (
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
        ownActions={<Button onClick={() => setResetting(true)}>{passwordTexts.open}</Button>}
        guarded={guarded}
        onSaved={async (savedId) => {
          if (savedId !== record.userId) renameSession(savedId)
          void invalidate(getAuthority)
          return (await user.refetch()).data
        }}
        onWithdrawn={async () => {
          // The server has ended the session with the account, so there is nothing left to log out of.
          endSession()
          await navigate({ to: '/login', replace: true })
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
      <SharingCard guarded={guarded} />
      <FactorsCard guarded={guarded} />
      <DevicesCard guarded={guarded} />
      <ProgramsCard guarded={guarded} />
      <OwnAccessCard />
      <OwnDataCard guarded={guarded} />
      {isResetting && (
        <ResetPassword
          person={{ userId: record.userId, phoneNumber: record.phoneNumber, email: record.email }}
          onClose={() => setResetting(false)}
        />
      )}
    </>
  )
}

/**
 * The modal 'reset password', 800 px wide (rules/account#password-change). Beside the user form, not inside: React
 * hands the submit of a form in a portal on to the form around it.
 */
function ResetPassword({ person, onClose }: { person: PasswordOwner; onClose: () => void }) {
  const { users, forms } = usePortalMessages()
  return (
    <Dialog title={users.password.title} width="wide" closeLabel={forms.close} onClose={onClose}>
      <PasswordForm person={person} onChanged={onClose} onCancel={onClose} cancelLabel={forms.cancel} />
    </Dialog>
  )
}
