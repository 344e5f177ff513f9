import { useEffect, useEffectEvent } from 'react'
import type { readCheck } from '../../contract/account/second-factor.ts'
import { confirmation as en } from '../../contract/messages/en/confirmation.ts'
import { confirmation as ko } from '../../contract/messages/ko/confirmation.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import { createTexts } from '../language.tsx'
import { noteConfirmationRequest, onConfirmation } from '../sso.ts'
import layout from '../ui/layout.module.css'

const useTexts = createTexts({ ko, en })

interface Props {
  providers: OutputOf<typeof readCheck>['providers']
  onDone: () => void
}

/** Links to the reauthentication at an identity provider, which runs in a new tab, so that unsaved input stays (rules/sso#reauthentication). */
export function SsoConfirmation({ providers, onDone }: Props) {
  const t = useTexts()
  const done = useEffectEvent(onDone)
  useEffect(() => onConfirmation(() => done()), [])
  if (providers.length === 0) return null
  return (
    <div className={layout.stack}>
      <p className={layout.hint}>{t.ssoLead}</p>
      {providers.map(({ providerId, providerName }) => (
        <a
          key={providerId}
          href={`/sso?confirm=${providerId}`}
          target="_blank"
          rel="noreferrer"
          onClick={noteConfirmationRequest}
          onAuxClick={noteConfirmationRequest}
        >
          {t.ssoConfirm(providerName)}
        </a>
      ))}
    </div>
  )
}
