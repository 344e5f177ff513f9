import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { login, LOGIN_LOCK } from '../../../contract/account/session.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { usePortalConfig } from '../../api/config.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useMessages } from '../../language.tsx'
import { usePrefetch } from '../../routes/prefetch.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { AccountCard, AccountLinks } from './account-card.tsx'
import { continueLogin } from './continue-login.ts'
import cardStyles from './account-card.module.css'
import type * as z from 'zod/mini'
import type { FirstMessages } from '../../../contract/messages/ko.ts'
import { validationText } from '../../../contract/validation.ts'

/** Loads the code of the second step. */
const loadSecondStep = () => import('./second-step.tsx')

/** Pages to prefetch, because a login leads to them. */
const NEXT = ['/main'] as const

/**
 * The page /login (rules/account#login): asks for ID and password, then for a second factor, or begins a login at an
 * identity provider. After a refusal the password is selected, so that the user can type it again.
 */
export default function Login() {
  const messages = useMessages()
  const t = messages.account
  const router = useRouter()
  const { foundId, typedId } = useLocation({ select: ({ state }) => state })
  const [kept] = useState(rememberedId)
  const [isRemembered, setRemembered] = useState(kept !== '')
  const [userId, setUserId] = useState(foundId ?? typedId ?? kept)
  const [isKnown] = useState(userId !== '')
  const [userPw, setUserPw] = useState('')
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  /** The second step while it is open; undefined before. */
  const [second, setSecond] = useState<{ ticket: string } & Awaited<ReturnType<typeof loadSecondStep>>>()
  /** Wrong passwords in a row on this page, by ID. The server returns no count: a count would reveal which IDs log in. */
  const [wrongPasswords, setWrongPasswords] = useState<Record<string, number>>({})
  const [hasCapsLock, setCapsLock] = useState(false)
  const idInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const normalizedId = userId.trim().toLowerCase()
  const input = { loginId: userId, password: userPw }
  const wrongCount = wrongPasswords[normalizedId] ?? 0
  const { sso = [] } = usePortalConfig()
  usePrefetch(NEXT)
  const errors = wasSent ? fieldErrors(messages, login.input, input) : {}

  async function submit() {
    setSent(true)
    const wrong = fieldErrors(messages, login.input, input)
    if (wrong.loginId !== undefined) return idInput.current?.focus()
    if (wrong.password !== undefined) return passwordInput.current?.focus()
    setPending(true)
    try {
      await finish(await call(login, input, { inline: 'unreachable' }))
    } catch (error) {
      const ticket = error instanceof CallError ? error.ticket : undefined
      if (ticket !== undefined) return goToSecondStep(ticket)
      setPending(false)
      await askAgain(error)
    }
  }

  /** Stores the ID if the user wants that, and continues after the login. */
  async function finish(session: OutputOf<typeof login>): Promise<void> {
    if (isRemembered) rememberId(session.userId)
    await continueLogin(router, session, router.state.location.state.next)
  }

  /** Shows the second step, or an alert if its code cannot be loaded. */
  async function goToSecondStep(ticket: string): Promise<void> {
    const part = await loadSecondStep().catch(() => undefined)
    setPending(false)
    if (part === undefined) void dialogs.notLoaded()
    else setSecond({ ...part, ticket })
  }

  /** Shows a refusal, counts a wrong password, and selects the password. */
  async function askAgain(refusal: unknown): Promise<void> {
    await showRefusal(refusal)
    const isWrong = refusal instanceof CallError && refusal.code === 'LOGIN_FAILED'
    // Rendered before the focus, so that a screen reader reads it with the field.
    flushSync(() =>
      setWrongPasswords((counts) => ({
        ...counts,
        [normalizedId]: isWrong ? ((counts[normalizedId] ?? 0) + 1) % LOGIN_LOCK.failures : 0,
      })),
    )
    // Focused and selected: typing goes over it.
    passwordInput.current?.focus()
    passwordInput.current?.select()
  }

  /** Returns from the second step to the password. */
  function goBack(refusal?: CallError): void {
    flushSync(() => setSecond(undefined))
    if (refusal === undefined) passwordInput.current?.focus()
    else void askAgain(refusal)
  }

  const watchCapsLock = (event: KeyboardEvent) =>
    setCapsLock(event.target === passwordInput.current && event.getModifierState('CapsLock'))

  if (second !== undefined)
    return (
      <AccountCard heading={t.loginHeading} lead={t.secondLead}>
        <second.SecondStep ticket={second.ticket} onDone={finish} onBack={goBack} />
      </AccountCard>
    )
  return (
    <AccountCard heading={t.loginHeading} lead={t.loginLead}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          ref={idInput}
          label={t.id}
          name="userId"
          value={userId}
          onChange={setUserId}
          errorMessage={errors.loginId}
          autoComplete="username"
          // A person comes here to type this, or else the password.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={!isKnown}
        />
        <TextField
          ref={passwordInput}
          label={t.password}
          name="userPw"
          type="password"
          value={userPw}
          onChange={setUserPw}
          errorMessage={errors.password}
          description={
            hasCapsLock ? (
              <output>{t.capsLock}</output>
            ) : wrongCount > 0 ? (
              t.attemptsLeft(LOGIN_LOCK.failures, LOGIN_LOCK.failures - wrongCount, LOGIN_LOCK.seconds / 60)
            ) : undefined
          }
          reveal={{ show: t.showPassword, hide: t.hidePassword }}
          autoComplete="current-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={isKnown}
        />
        {(foundId !== undefined || wrongCount > 0) && (
          <p className={cardStyles.found}>
            {t.foundReset}{' '}
            <Link to="/reset/pw" state={{ typedId: userId }}>
              {t.resetPassword}
            </Link>
          </p>
        )}
        <Checkbox
          label={t.rememberId}
          value={isRemembered}
          onChange={(isWanted) => {
            setRemembered(isWanted)
            if (!isWanted) forgetId()
          }}
        />
        <Button type="submit" variant="primary" isWide isPending={isPending} className={cardStyles.submit}>
          {t.login}
        </Button>
      </form>
      {sso.map(({ id, name }) => (
        <Button
          key={id}
          isWide
          className={cardStyles.provider}
          onClick={() =>
            void import('./begin-sso.ts').then(
              (part) => part.beginSsoAt(id, router.state.location.state.next),
              () => dialogs.notLoaded(),
            )
          }
        >
          {t.ssoLogin(name)}
        </Button>
      ))}
      <AccountLinks
        typedId={userId}
        links={[
          { href: '/find/id', text: t.findId },
          { href: '/reset/pw', text: t.resetPassword },
          { href: '/signup', text: t.signUp },
        ]}
      />
    </AccountCard>
  )
}

/** Returns the first error of each field of a small form, in the user's language. */
function fieldErrors<S extends z.ZodMiniType>(
  messages: Pick<FirstMessages, 'validation'>,
  schema: S,
  value: z.input<S>,
): Partial<Record<keyof z.input<S>, string>> {
  const errors: Partial<Record<PropertyKey, string>> = {}
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    errors[path[0] ?? ''] ??= validationText(messages, message)
  }
  return errors
}

/** Storage key of the login ID that a user has this browser remember (rules/account#id-remembered). */
const KEY = 'login_id'

/** Returns the stored login ID; '' if there is none. */
const rememberedId = (): string => localStorage.getItem(KEY) ?? ''

/** Stores the login ID in this browser. */
const rememberId = (userId: string): void => localStorage.setItem(KEY, userId)

/** Deletes the stored login ID. */
const forgetId = (): void => localStorage.removeItem(KEY)
