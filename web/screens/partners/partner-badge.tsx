import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { PartnerRecord } from './form-values.ts'

/** Badge tones of the states of a partner, for `PartnerBadge`. */
const TONES = { valid: 'positive', upcoming: 'info', expired: 'neutral', stopped: 'danger' } as const

/**
 * Shows why a partner can be issued no keys today: its validity has not begun or has ended, or it is deactivated. Shows
 * nothing for a valid partner.
 * @param isWhole true to show the badge of a valid partner, too, which lists do not need
 */
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
