import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import {
  beginConfirmation,
  finishConfirmation,
  finishLink,
  finishSso,
  finishTry,
} from '../../../contract/sso.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { usePortalMessages } from '../../language.tsx'
import { portalConfig } from '../../api/config.ts'
import {
  type BegunSso,
  keepSsoTicket,
  leaveForProvider,
  reportConfirmation,
  takeConfirmationRequest,
  takeBegunSso,
} from '../../sso.ts'
import { Button } from '../../ui/button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import layout from '../../ui/layout.module.css'
import { AccountCard, AccountLinks } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { continueLogin } from './continue-login.ts'
import { LinkAtLogin } from './link-at-login.tsx'
import { SecondStep } from './second-step.tsx'
import { useSsoTexts } from './sso-texts.ts'

/** Result of a test login. */
type Tried = OutputOf<typeof finishTry>

/**
 * The page /sso, to which an identity provider sends a user back (rules/sso#answer). Sends the answer of the provider
 * to the server, with the random value that this tab stored when it left for the provider. The server then completes
 * what the tab has begun: a login (`finishSso`), the link of an account (`finishLink`), a test login (`finishTry`) or a
 * reauthentication (`finishConfirmation`). Shows a refusal in a tab that has begun none. With `?confirm=<provider ID>`
 * it begins a reauthentication instead (`beginConfirmation`).
 */
export default function Sso() {
  const t = useSsoTexts()
  const { account } = usePortalMessages()
  const search = useSearch({ from: '/slim/sso' })
  const navigate = useNavigate()
  const router = useRouter()
  const [begun, setBegun] = useState<BegunSso>()
  const [refusal, setRefusal] = useState<string>()
  const [ticket, setTicket] = useState<string>()
  const [tried, setTried] = useState<Tried>()
  /** The ticket with which the person may link an account, or request one. */
  const [ssoTicket, setSsoTicket] = useState<string>()
  const [linked, setLinked] = useState<string>()
  const [isConfirmed, setConfirmed] = useState(false)
  const [isLinking, setLinking] = useState(false)
  const isTaken = useRef(false)

  /** Shows the second step of a login, or the refusal, with what an identity without an account can do. */
  function show(error: unknown): void {
    if (!(error instanceof CallError)) throw error
    if (error.ticket !== undefined && error.code === 'SECOND_FACTOR_REQUIRED') return setTicket(error.ticket)
    setRefusal(error.message)
    setSsoTicket(error.ticket)
  }

  const finish = useEffectEvent(async () => {
    const { confirm: providerId, ...returned } = search
    if (providerId !== undefined) {
      if (!takeConfirmationRequest()) return setRefusal(t.notBegun)
      return leaveForProvider({ purpose: 'confirm' }, (binding) =>
        call(beginConfirmation, { providerId, binding }, { inline: 'everything' }),
      ).catch(show)
    }
    const kept = takeBegunSso()
    const answer = new URLSearchParams(returned).toString()
    // Neither the history nor a copied URL keeps the answer.
    await navigate({ to: '/sso', replace: true })
    setBegun(kept)
    if (kept === undefined || answer === '') return setRefusal(t.notBegun)
    const input = { binding: kept.binding, answer }
    try {
      if (kept.purpose === 'login')
        await continueLogin(router, await call(finishSso, input, { inline: 'everything' }), kept.next)
      else if (kept.purpose === 'confirm') {
        await call(finishConfirmation, input, { inline: 'everything' })
        reportConfirmation()
        setConfirmed(true)
      } else if (kept.purpose === 'try') setTried(await call(finishTry, input, { inline: 'everything' }))
      else setLinked((await call(finishLink, input, { inline: 'everything' })).providerName)
    } catch (error) {
      show(error)
    }
  })

  useEffect(() => {
    // The answer counts once, and React may run an effect twice.
    if (isTaken.current) return
    isTaken.current = true
    void finish()
  }, [])

  const { sso: providers = [] } = portalConfig()
  const firstLogin = providers.find(({ id }) => id === begun?.providerId)?.firstLogin ?? 'refuse'

  if (isLinking && ssoTicket !== undefined)
    return (
      <LinkAtLogin
        ssoTicket={ssoTicket}
        onDone={(session) => continueLogin(router, session, begun?.next)}
        onBack={() => setLinking(false)}
      />
    )
  if (isConfirmed)
    return (
      <AccountCard heading={t.confirmHeading} lead={t.confirmed}>
        <Button isWide onClick={() => window.close()}>
          {t.closeTab}
        </Button>
      </AccountCard>
    )
  if (ticket !== undefined && refusal === undefined)
    return (
      <AccountCard heading={account.loginHeading} lead={t.secondLead}>
        <SecondStep
          ticket={ticket}
          onDone={(session) => continueLogin(router, session, begun?.next)}
          onBack={(error) =>
            error ? setRefusal(error.message) : void navigate({ to: '/login', replace: true })
          }
        />
      </AccountCard>
    )
  if (tried !== undefined) return <TestResult tried={tried} />
  if (linked !== undefined)
    return (
      <AccountCard heading={t.linkHeading} lead={t.linked(linked)}>
        <Back to="/mypage" />
      </AccountCard>
    )
  const headings = {
    login: account.loginHeading,
    link: t.linkHeading,
    try: t.tryHeading,
    confirm: t.confirmHeading,
  }
  return (
    <AccountCard heading={headings[begun?.purpose ?? 'login']} lead="">
      {refusal === undefined ? (
        <output className={layout.quiet}>{t.finishing}</output>
      ) : (
        <p role="alert" className={cardStyles.refusal}>
          {refusal}
        </p>
      )}
      {refusal !== undefined &&
        (begun === undefined || begun.purpose === 'login' ? (
          <>
            {ssoTicket !== undefined && (
              <div className={layout.stack}>
                <Button isWide variant="primary" onClick={() => setLinking(true)}>
                  {t.linkAtLogin}
                </Button>
                {firstLogin !== 'refuse' && (
                  <Button
                    isWide
                    onClick={() => {
                      keepSsoTicket({ ticket: ssoTicket, approves: firstLogin === 'create' })
                      void navigate({ to: '/signup' })
                    }}
                  >
                    {firstLogin === 'create' ? t.makeAccount : t.requestAccount}
                  </Button>
                )}
              </div>
            )}
            <AccountLinks links={[{ href: '/login', text: account.backToLogin }]} />
          </>
        ) : (
          <Back to={begun.purpose === 'try' ? '/setting/sso' : '/mypage'} />
        ))}
    </AccountCard>
  )
}

/**
 * Shows the result of a test login, which has changed nothing: the claims of the provider, the account that matches,
 * and what would keep it from logging in.
 */
function TestResult({ tried: { providerName, claims, matchedId, obstacle } }: { tried: Tried }) {
  const t = useSsoTexts()
  return (
    <AccountCard heading={t.tryHeading} lead={t.tryDone(providerName)}>
      <div className={layout.stack}>
        <p>
          {matchedId === ''
            ? t.tryUnmatched
            : obstacle === ''
              ? t.tryMatched(matchedId)
              : t.tryRefused(matchedId, obstacle)}
        </p>
        <FactList facts={claims.map(({ claim, text }) => [claim, text])} />
        <Back to="/setting/sso" />
      </div>
    </AccountCard>
  )
}

/** Shows a button that opens the page from which the login at the provider began. */
function Back({ to }: { to: '/setting/sso' | '/mypage' }) {
  const t = useSsoTexts()
  const navigate = useNavigate()
  return (
    <Button isWide onClick={() => void navigate({ to, replace: true })}>
      {t.back}
    </Button>
  )
}
