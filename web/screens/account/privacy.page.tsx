import { useQuery } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { acceptPrivacyNotice, PRESENT_PRIVACY, readPrivacyNotice } from '../../../contract/account.ts'
import { prefetch, query, queryClient, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { LOG_OUT, returnTarget } from '../../routes/return-to.ts'
import { mustAcceptPrivacy, sessionUserId, setAcceptance } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import styles from './password.module.css'
import { PrivacyNotice } from './privacy-notice.tsx'
import { usePrivacyTexts } from './privacy-texts.ts'

/** Returns the query for a version of the privacy notice; for the current one if `version` is no number. */
const noticeOf = (version = '') =>
  query(readPrivacyNotice, {
    privacyVersion: /^[1-9]\d{0,5}$/.test(version) ? Number(version) : PRESENT_PRIVACY,
  })

/** Prefetches the version of the privacy notice that the URL names. */
export function load({ version }: { version?: string }): void {
  void prefetch(noticeOf(version))
}

/**
 * The page /privacy, also for guests: the current privacy notice or the version that the URL names, with links to the
 * others (rules/settings#privacy-versions). Asks a user who must accept the current one before anything else
 * (rules/account#privacy-acceptance).
 */
export default function Privacy() {
  const { titles } = usePortalMessages()
  const t = usePrivacyTexts()
  const found = useQuery(noticeOf(useSearch({ from: '/slim/privacy' }).version))
  const isDue = mustAcceptPrivacy()
  return (
    <div className={styles.screen}>
      <h1>{titles.privacy}</h1>
      <p className={styles.lead}>{isDue ? t.acceptLead : t.publicLead}</p>
      <LoadedRecord query={found} title={titles.privacy} loading={t.reading} failed={t.unread}>
        {({ noticeText, privacyVersion, publishedAt, versions }) => (
          <div className={layout.parts}>
            <Card title={t.versionOf(privacyVersion, publishedAt)}>
              <PrivacyNotice text={noticeText} />
            </Card>
            {isDue && privacyVersion === versions[0]?.privacyVersion && (
              <Acceptance version={privacyVersion} reload={found.refetch} />
            )}
            {versions.length > 1 && (
              <Card title={t.others}>
                <ul className={layout.stack}>
                  {versions.map((each) => (
                    <li key={each.privacyVersion}>
                      <Link to="/privacy" search={{ version: String(each.privacyVersion) }}>
                        {t.versionOf(each.privacyVersion, each.publishedAt)}
                      </Link>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </div>
        )}
      </LoadedRecord>
    </div>
  )
}

/**
 * Shows the button that accepts a version (`acceptPrivacyNotice`), clears the query cache and opens the page that the
 * user requested, and the one that logs out. After a refusal reads the notice again.
 */
function Acceptance({ version, reload }: { version: number; reload: () => Promise<unknown> }) {
  const { account } = usePortalMessages()
  const t = usePrivacyTexts()
  const router = useRouter()
  const accept = useCall(acceptPrivacyNotice)

  async function goOn() {
    try {
      await accept.mutateAsync({ privacyVersion: version })
    } catch (error) {
      await showRefusal(error)
      // Another version may have been published meanwhile.
      await reload()
      return
    }
    setAcceptance(false)
    // Calls that were refused in the meantime are made again.
    queryClient.clear()
    await router.navigate(returnTarget(router.state.location.state, sessionUserId() ?? ''))
  }

  return (
    <div className={layout.row}>
      <Button variant="primary" isPending={accept.isPending} onClick={() => void goOn()}>
        {t.acceptSubmit}
      </Button>
      <Button onClick={() => void router.navigate(LOG_OUT)}>{account.logout}</Button>
    </div>
  )
}
