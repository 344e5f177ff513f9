import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { acceptPrivacyNotice, PRESENT_PRIVACY, readPrivacyNotice } from '../../../contract/account.ts'
import { prefetch, query, queryClient, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { LOG_OUT, returnTarget } from '../../routes/return-to.ts'
import { sessionUserId, setAcceptance } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import styles from './password.module.css'
import { PrivacyNotice } from './privacy-notice.tsx'
import { usePrivacyTexts } from './privacy-texts.ts'

const noticeQuery = query(readPrivacyNotice, { privacyVersion: PRESENT_PRIVACY })

/** Prefetches the notice. */
export function load(): void {
  void prefetch(noticeQuery)
}

/** Asks a user to accept the privacy notice before anything else (rules/account#privacy-acceptance). */
export default function AcceptPrivacy() {
  const { account, titles } = usePortalMessages()
  const t = usePrivacyTexts()
  const router = useRouter()
  const found = useQuery(noticeQuery)
  const accept = useCall(acceptPrivacyNotice)

  async function goOn(privacyVersion: number) {
    try {
      await accept.mutateAsync({ privacyVersion })
    } catch (error) {
      await showRefusal(error)
      // Another version may have been published meanwhile.
      await found.refetch()
      return
    }
    setAcceptance(false)
    // Calls that were refused in the meantime are made again.
    queryClient.clear()
    await router.navigate(returnTarget(router.state.location.state, sessionUserId() ?? ''))
  }

  return (
    <div className={styles.screen}>
      <h1>{titles.acceptPrivacy}</h1>
      <p className={styles.lead}>{t.acceptLead}</p>
      <LoadedRecord query={found} title={t.name} loading={t.reading} failed={t.unread}>
        {({ noticeText, privacyVersion, publishedAt }) => (
          <div className={layout.parts}>
            <Card title={t.name}>
              <p className={layout.lead}>{t.versionOf(privacyVersion, publishedAt)}</p>
              <PrivacyNotice text={noticeText} />
            </Card>
            <div className={layout.row}>
              <Button
                variant="primary"
                isPending={accept.isPending}
                onClick={() => void goOn(privacyVersion)}
              >
                {t.acceptSubmit}
              </Button>
              <Button onClick={() => void router.navigate(LOG_OUT)}>{account.logout}</Button>
            </div>
          </div>
        )}
      </LoadedRecord>
    </div>
  )
}
