import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getAuthority } from '../../../contract/common.ts'
import { query, queryClient } from '../../api/query.ts'
import { PasswordGate } from '../../layout/password-gate.tsx'
import { usePortalMessages } from '../../language.tsx'
import { returnTarget, LOG_OUT } from '../../routes/return-to.ts'
import { clearFactorSetUp, sessionUserId } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import { useFactorTexts } from './factor-texts.ts'
import { Factors } from './factors.tsx'
import styles from './password.module.css'

/**
 * The page /second-factor: requires a second factor of a user whose role demands one and whose grace period has ended
 * (rules/account#required-factor). The factors are behind the password re-entry. Once there is one, a button opens the
 * requested page; another one logs out.
 */
export default function SetUpFactor() {
  const { account, titles } = usePortalMessages()
  const t = useFactorTexts()
  const router = useRouter()
  const { data: authority } = useQuery(query(getAuthority, {}))
  const isDone = authority !== undefined && authority.factorDay === undefined

  async function goOn() {
    clearFactorSetUp()
    // Calls that were refused in the meantime are made again.
    queryClient.clear()
    await router.navigate(returnTarget(router.state.location.state, sessionUserId() ?? ''))
  }

  return (
    <div className={classes(styles.screen, styles.narrow)}>
      <h1>{titles.setUpFactor}</h1>
      <p className={styles.lead}>{t.requiredLead}</p>
      <div className={layout.parts}>
        <PasswordGate>
          {({ guarded }) => (
            <Card title={t.card}>
              <Factors guarded={guarded} />
            </Card>
          )}
        </PasswordGate>
        <div className={layout.row}>
          {isDone && (
            <Button variant="primary" onClick={() => void goOn()}>
              {t.goOn}
            </Button>
          )}
          <Button onClick={() => void router.navigate(LOG_OUT)}>{account.logout}</Button>
        </div>
      </div>
    </div>
  )
}
