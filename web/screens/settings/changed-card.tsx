import { useWatch } from 'react-hook-form'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { type SettingsRecord, type SettingsValues, valuesOf } from './form-values.ts'
import { useSettingsTexts } from './settings-texts.ts'
import styles from './settings.module.css'

/** Where the form differs from what somebody else saved meanwhile: neither is lost unseen. */
export function ChangedCard({ saved }: { saved: SettingsRecord }) {
  const { fields } = usePortalMessages()
  const t = useSettingsTexts()
  const typed = useWatch<SettingsValues>()
  const present = valuesOf(saved)
  const names = [
    'companyName',
    'logoText',
    'companyNameEn',
    'logoTextEn',
    'portalUrl',
    'offices',
    'noticeComments',
    'noticeAcknowledgements',
  ] as const
  const words = (value: (typeof present)[(typeof names)[number]]) =>
    typeof value === 'string'
      ? value
      : typeof value === 'boolean'
        ? value
          ? t.on
          : t.off
        : value.map(({ name }) => name).join(', ')
  return (
    <Card title={t.changedTitle}>
      <p className={styles.changedText}>{t.changedText}</p>
      <FactList
        facts={names
          .filter((name) => JSON.stringify(typed[name]) !== JSON.stringify(present[name]))
          .map((name) => [fields[name], words(present[name]) || t.empty])}
      />
    </Card>
  )
}
