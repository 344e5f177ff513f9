import { useWatch } from 'react-hook-form'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { valuesOf, type PartnerRecord, type PartnerValues } from './form-values.ts'
import styles from './partners.module.css'

/** Where the form differs from what somebody else saved meanwhile: neither is lost unseen. */
export function ChangedCard({ saved }: { saved: PartnerRecord }) {
  const { fields, partners } = usePortalMessages()
  const t = partners.detail
  const typed = useWatch<PartnerValues>()
  const present = valuesOf(saved)
  const names = Object.keys(present) as (keyof PartnerValues)[]
  return (
    <Card title={t.changedTitle}>
      <p className={styles.changedText}>{t.changedText}</p>
      <FactList
        facts={names
          .filter((name) => typed[name] !== present[name])
          .map((name) => [
            name === 'memo' ? partners.memo : fields[name],
            present[name] === '' ? t.empty : present[name],
          ])}
      />
    </Card>
  )
}
