import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { PRESENT_PRIVACY, readPrivacyNotice } from '../../../contract/account.ts'
import { prefetch, query } from '../../api/query.ts'
import { LoadedRecord } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import styles from './password.module.css'
import { PrivacyNotice } from './privacy-notice.tsx'
import { usePrivacyTexts } from './privacy-texts.ts'

/** Returns the query of a version; of the present one for a word that is no version. */
const noticeOf = (version = '') =>
  query(readPrivacyNotice, {
    privacyVersion: /^[1-9]\d{0,5}$/.test(version) ? Number(version) : PRESENT_PRIVACY,
  })

/** Prefetches the notice. */
export function load({ version }: { version?: string }): void {
  void prefetch(noticeOf(version))
}

/** The page /privacy, for everyone: the privacy notice and its former versions (rules/settings#privacy-versions). */
export default function Privacy() {
  const { titles } = usePortalMessages()
  const t = usePrivacyTexts()
  const found = useQuery(noticeOf(useSearch({ from: '/slim/privacy' }).version))
  return (
    <div className={styles.screen}>
      <h1>{titles.privacy}</h1>
      <LoadedRecord query={found} title={titles.privacy} loading={t.reading} failed={t.unread}>
        {({ noticeText, privacyVersion, publishedAt, versions }) => (
          <>
            <p className={styles.lead}>{t.versionOf(privacyVersion, publishedAt)}</p>
            <div className={layout.parts}>
              <Card>
                <PrivacyNotice text={noticeText} />
              </Card>
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
          </>
        )}
      </LoadedRecord>
    </div>
  )
}
