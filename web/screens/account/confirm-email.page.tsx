import { useNavigate } from '@tanstack/react-router'
import { confirmEmail, LINK } from '../../../contract/account.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import cardStyles from './account-card.module.css'
import { LinkCard } from './link-card.tsx'
import { showToast } from '../../ui/toasts.ts'

/**
 * The page /email (rules/account#certified-correction), which an email link opens: confirms an email address for an
 * account, and leads to /login. Requires a button press, because mail servers open links to check them.
 */
export default function ConfirmEmail() {
  const t = usePortalMessages().account
  return (
    <LinkCard
      heading={t.titles.confirmEmail}
      kind={LINK.email}
      lead={({ userId, email }) => t.confirmEmailLead(userId, email)}
    >
      {(token) => <Confirm token={token} />}
    </LinkCard>
  )
}

/**
 * Shows the button that confirms the address (`confirmEmail`), then shows a toast and opens /login. Shows a refusal in
 * an alert.
 */
function Confirm({ token }: { token: string }) {
  const t = usePortalMessages().account
  const navigate = useNavigate()
  const confirm = useCall(confirmEmail)

  async function submit(): Promise<void> {
    try {
      await confirm.mutateAsync({ token })
    } catch (error) {
      return showRefusal(error)
    }
    showToast(t.confirmEmailDone)
    await navigate({ to: '/login', replace: true })
  }

  return (
    <Button
      variant="primary"
      isWide
      isPending={confirm.isPending}
      className={cardStyles.submit}
      onClick={() => void submit()}
    >
      {t.confirmEmailSubmit}
    </Button>
  )
}
