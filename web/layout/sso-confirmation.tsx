import { useEffect, useEffectEvent } from 'react'
import type { readCheck } from '../../contract/account/second-factor.ts'
import { confirmation as en } from '../../contract/messages/en/confirmation.ts'
import { confirmation as ko } from '../../contract/messages/ko/confirmation.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import { createTexts } from '../language.tsx'
import { noteConfirmationRequest, onConfirmation } from '../sso.ts'
import layout from '../ui/layout.module.css'

const useTexts = createTexts({ ko, en })

/** Identity providers at which the user can reauthenticate, and a function that is called when the user has done so. */
interface Props {
  providers: OutputOf<typeof readCheck>['providers']
  onDone: () => void
}

/**
 * Shows links to the reauthentication at identity providers; nothing without any. It runs in a new tab, so that unsaved
 * input stays (rules/sso#reauthentication).
 */
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
