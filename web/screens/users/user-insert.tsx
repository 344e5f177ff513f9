import { useNavigate } from '@tanstack/react-router'
import { usePortalMessages } from '../../language.tsx'
import { Page } from '../../ui/card.tsx'
import { RegisterForm } from './register-form.tsx'

/** /user/insert (spec §2). A right that goes while the form is open leads to / as well (spec §6, §8). */
export function UserInsert() {
  const navigate = useNavigate()
  return (
    <Page title={usePortalMessages().frame.titles.userInsert}>
      <RegisterForm onDenied={() => void navigate({ to: '/', replace: true })} />
    </Page>
  )
}
