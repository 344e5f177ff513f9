import { today } from '../forms/today.ts'
import { usePortalMessages } from '../language.tsx'
import { periods } from '../ui/dates.ts'
import { Presets } from '../ui/presets.tsx'

/**
 * Shows buttons that fill in both days of a period around today in Korea: today, this week from Monday, or this month
 * (rules/lists#date-presets). They do not search.
 */
export function DatePresets({ onPick }: { onPick: (from: string, to: string) => void }) {
  const t = usePortalMessages().lists.presets
  const found = periods(today())
  const names = ['day', 'week', 'month'] as const
  return (
    <Presets
      label={t.label}
      choices={names.map((name) => ({ label: t[name], pick: () => onPick(...found[name]) }))}
    />
  )
}
