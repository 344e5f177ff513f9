import type { TOKEN_STATES } from '../../../contract/keys.ts'
import { minuteOf } from '../../lists/columns.ts'
import { Badge } from '../../ui/badge.tsx'
import layout from '../../ui/layout.module.css'
import { useTokenTexts } from './token-texts.ts'

interface Token {
  state: (typeof TOKEN_STATES)[number]
  /** Missing if the list does not contain it. */
  previousUntil?: string
}

const TONES = {
  live: 'positive',
  soon: 'warning',
  expired: 'neutral',
  revoked: 'neutral',
  account: 'neutral',
} as const

/** Returns whether a token is valid now. */
export const isInForce = ({ state }: Pick<Token, 'state'>) => state === 'live' || state === 'soon'

/** Shows the state of a token, and until when the previous one is valid. */
export function TokenState({ state, previousUntil = '' }: Token) {
  const t = useTokenTexts()
  return (
    <span className={layout.row}>
      <Badge tone={TONES[state]}>{t.states[state]}</Badge>
      {previousUntil !== '' && (
        <span className={layout.hint}>{t.previousUntil(minuteOf(previousUntil))}</span>
      )}
    </span>
  )
}
