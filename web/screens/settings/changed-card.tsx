import { ConflictCard } from '../../forms/conflict-card.tsx'
import { usePortalMessages } from '../../language.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { type SettingsRecord, valuesOf } from './form-values.ts'
import { useSettingsTexts } from './settings-texts.ts'

type Values = ReturnType<typeof valuesOf>

interface Props {
  saved: SettingsRecord
  conflict: readonly (keyof Values)[]
  onTake: () => void
}

/** Where the form differs from what somebody else saved meanwhile: neither is lost unseen. */
export function ChangedCard({ saved, conflict, onTake }: Props) {
  const { fields } = usePortalMessages()
  const t = useSettingsTexts()
  const present = valuesOf(saved)
  const words = (value: Values[keyof Values]) =>
    typeof value === 'boolean'
      ? value
        ? t.on
        : t.off
      : Array.isArray(value)
        ? value.map(({ name }) => name).join(', ')
        : value
  return (
    <ConflictCard isOverwriting={conflict.length > 0} onTake={onTake}>
      <FactList facts={conflict.map((name) => [fields[name], words(present[name]) || t.empty])} />
    </ConflictCard>
  )
}
