import { usePortalNames } from '../../frame/portal-names.ts'
import type { Erasure } from './erasure.page.tsx'
import { useRetentionTexts } from './retention-texts.ts'

/** Returns the facts about a period as a whole, for the screen and the certificate. */
export function useErasureFacts({ erasedFrom, erasedTo, officerName, rows }: Erasure) {
  const t = useRetentionTexts()
  const { company } = usePortalNames()
  const { facts, period, count } = t.certificate
  const sum = rows.reduce((n, { erasedCount }) => n + erasedCount, 0)
  return [
    [facts.company, company],
    [facts.period, period(erasedFrom, erasedTo)],
    [facts.count, count(sum.toLocaleString())],
    [facts.officer, officerName || t.noOfficer],
  ] as const
}
