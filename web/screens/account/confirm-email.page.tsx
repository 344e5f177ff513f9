import { useNavigate } from '@tanstack/react-router'
import { confirmEmail, LINK } from '../../../contract/account.ts'
import { useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import cardStyles from './account-card.module.css'
import { LinkCard } from './link-card.tsx'

/**
 * /email (rules/account#certified-correction): the owner of an address confirms it as an account's. By a button: mail
 * servers open the links of a mail to look at them.
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
    await dialogs.alert({ tone: 'success', message: t.confirmEmailDone })
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
