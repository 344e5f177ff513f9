import { ConflictCard } from '../../forms/conflict-card.tsx'
import { usePortalMessages } from '../../language.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { valuesOf, type PartnerRecord, type PartnerValues } from './form-values.ts'

interface Props {
  saved: PartnerRecord
  conflict: readonly (keyof PartnerValues)[]
  onTake: () => void
}

/** Where the form differs from what somebody else saved meanwhile: neither is lost unseen. */
export function ChangedCard({ saved, conflict, onTake }: Props) {
  const { fields, partners } = usePortalMessages()
  const t = partners.detail
  const present = valuesOf(saved)
  return (
    <ConflictCard title={t.changedTitle} isOverwriting={conflict.length > 0} onTake={onTake}>
      <FactList
        facts={conflict.map((name) => [
          name === 'memo' ? partners.memo : fields[name],
          present[name] === '' ? t.empty : present[name],
        ])}
      />
    </ConflictCard>
  )
}
