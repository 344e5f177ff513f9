import { useNavigate } from '@tanstack/react-router'
import { usePortalMessages } from '../../language.tsx'
import { Page } from '../../ui/card.tsx'
import { RegisterForm } from './register-form.tsx'

/** /user/insert (rules/users#register). A right that goes while the form is open leads to / as well. */
export default function UserInsert() {
  const navigate = useNavigate()
  return (
    <Page title={usePortalMessages().frame.titles.userInsert}>
      <RegisterForm onDenied={() => void navigate({ to: '/', replace: true })} />
    </Page>
  )
}
