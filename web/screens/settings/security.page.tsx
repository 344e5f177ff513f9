import { useQuery } from '@tanstack/react-query'
import { getSecurity } from '../../../contract/settings.ts'
import { prefetch, recordQuery } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Page } from '../../ui/card.tsx'
import { SecurityForm } from './security-form.tsx'
import { useSecurityTexts } from './security-texts.ts'

const securityQuery = recordQuery(getSecurity, {})

/** Asks for the security settings. */
export function load(): void {
  void prefetch(securityQuery)
}

/** /setting/security (rules/settings#security): how many sessions, from where, and from where administrators. */
export default function Security() {
  const { titles } = usePortalMessages()
  const t = useSecurityTexts()
  const settings = useQuery(securityQuery)
  useShowRefusal(settings.error)
  return (
    <Page title={titles.settingSecurity}>
      {settings.data === undefined ? (
        <RecordStates query={settings} title={t.sessions} loading={t.loading} failed={t.failed} />
      ) : (
        <SecurityForm record={settings.data} reload={async () => (await settings.refetch()).data} />
      )}
    </Page>
  )
}
