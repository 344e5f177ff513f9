import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getSettings } from '../../../contract/settings.ts'
import { prefetch, recordQuery } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Page } from '../../ui/card.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSettingsTexts } from './settings-texts.ts'

const settingsQuery = recordQuery(getSettings, {})

/** Asks for the settings. */
export function load(): void {
  void prefetch(settingsQuery)
}

/** /setting/manage (rules/settings#settings): company, logo, the portal's address, offices, mail. */
export default function Settings() {
  const { titles, settings: texts } = usePortalMessages()
  const t = useSettingsTexts()
  const settings = useQuery(settingsQuery)
  useShowRefusal(settings.error)
  return (
    <Page title={titles.settingManage} actions={<Link to="/setup">{texts.guide.hintLink}</Link>}>
      {settings.data === undefined ? (
        <RecordStates query={settings} title={t.company} loading={t.loading} failed={t.failed} />
      ) : (
        <SettingsForm record={settings.data} reload={async () => (await settings.refetch()).data} />
      )}
    </Page>
  )
}
