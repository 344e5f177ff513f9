import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { PartnerRecord } from './form-values.ts'

const TONES = { valid: 'positive', upcoming: 'info', expired: 'neutral', stopped: 'danger' } as const

/** Whether a partner is issued keys today. @param isWhole says so too where it is, as in a list nobody needs */
export function PartnerBadge({
  state,
  isWhole = false,
}: {
  state: PartnerRecord['state']
  isWhole?: boolean
}) {
  const t = usePortalMessages().partners.states
  return state === 'valid' && !isWhole ? null : <Badge tone={TONES[state]}>{t[state]}</Badge>
}
