import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { returnTarget, LOG_OUT } from '../../routes/return-to.ts'
import { sessionUserId } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { PasswordForm } from './password-form.tsx'
import styles from './password.module.css'

/**
 * The page /password: requires a user who logged in with a temporary password to choose a new one, or to log out. Then
 * clears the query cache and opens the requested page (rules/account#temporary-password).
 */
export default function ChangePassword() {
  const t = usePortalMessages().account
  const router = useRouter()

  async function goOn() {
    // Calls that were refused because of the temporary password are made again.
    queryClient.clear()
    await router.navigate(returnTarget(router.state.location.state, sessionUserId() ?? ''))
  }

  return (
    <div className={styles.screen}>
      <h1>{t.passwordHeading}</h1>
      <p className={styles.lead}>{t.passwordLead}</p>
      <Card>
        <PasswordForm
          isFirst
          onChanged={goOn}
          onCancel={() => void router.navigate(LOG_OUT)}
          cancelLabel={t.logout}
        />
      </Card>
    </div>
  )
}
