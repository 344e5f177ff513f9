import { useCallback, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useQuery } from '@tanstack/react-query'
import { checkPassword, readCheck } from '../../contract/account.ts'
import type { InputOf } from '../../contract/endpoint.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/client.ts'
import { usePortalConfig } from '../api/config.ts'
import { useCall } from '../api/query.ts'
import { usePortalMessages } from '../language.tsx'
import { BoundPassword } from '../forms/bound-password.tsx'
import { Form, useSchemaForm } from '../forms/form.tsx'
import { showRefusalOnField } from '../forms/show-refusal-on-field.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FormActions } from '../ui/form-grid.tsx'
import layout from '../ui/layout.module.css'
import { SsoConfirmation } from './sso-confirmation.tsx'
import styles from './password-gate.module.css'

/** Input of the password check. */
type Password = InputOf<typeof checkPassword>

/** Functions with which content behind the password re-entry makes its calls. */
export interface GateKeeper {
  /**
   * Runs work. If the server requires the password again (rules/account#password-gate: after 10 minutes), shows the password
   * re-entry, keeps unsaved input, and runs the work after it.
   */
  guarded: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * Shows the password re-entry (rules/account#password-gate), and the children once the user has passed it. Each visit
 * asks again. The server enforces the same for every change of the user's own record.
 */
export function PasswordGate({ children }: { children: (keeper: GateKeeper) => ReactNode }) {
  const [hasPassed, setPassed] = useState(false)
  // Set while work waits for the password re-entry.
  const [resume, setResume] = useState<() => void>()

  const guarded = useCallback(async function retry<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'PASSWORD_CHECK_REQUIRED')) throw error
      await new Promise<void>((resolve) => setResume(() => resolve))
      return retry(work)
    }
  }, [])

  const behind = useRef<HTMLDivElement>(null)
  const isOpen = hasPassed && resume === undefined
  return (
    <>
      {!isOpen && (
        <Gate
          isAgain={hasPassed}
          onPassed={() => {
            flushSync(() => {
              setPassed(true)
              setResume(undefined)
            })
            if (resume === undefined) return
            // The password re-entry took the focus. Return it to the form, so that the result's alert can restore it there.
            behind.current?.querySelector<HTMLElement>('button[type=submit]')?.focus()
            resume()
          }}
        />
      )}
      {/* Hidden and not unmounted, to keep unsaved input. */}
      {hasPassed && (
        <div ref={behind} hidden={!isOpen} style={isOpen ? { display: 'contents' } : undefined}>
          {children({ guarded })}
        </div>
      )}
    </>
  )
}

/**
 * Asks for the password (`checkPassword`), or for a reauthentication at a linked identity provider. Shows a wrong
 * password (PASSWORD_WRONG) or a lock (LOGIN_LOCKED) at the field.
 * @param isAgain true if the user had passed before, and work waits
 */
function Gate({ isAgain, onPassed }: { isAgain: boolean; onPassed: () => void }) {
  const messages = usePortalMessages()
  const t = messages.users.gate
  const check = useCall(checkPassword)
  const { sso = [] } = usePortalConfig()
  const { data } = useQuery({
    queryKey: [readCheck.path],
    queryFn: () => call(readCheck, {}, { inline: 'everything' }),
    enabled: sso.length > 0,
    gcTime: 0,
  })
  const form = useSchemaForm(checkPassword.input, { password: '' }, 'onSubmit')

  async function submit(values: Password): Promise<void> {
    try {
      await check.mutateAsync(values)
    } catch (error) {
      await showRefusalOnField(error, form, { PASSWORD_WRONG: 'password', LOGIN_LOCKED: 'password' })
      return
    }
    onPassed()
  }

  return (
    <div className={styles.gate}>
      <Card title={t.title}>
        <p className={layout.lead}>{isAgain ? t.again : t.text}</p>
        <Form form={form} onSubmit={submit}>
          {/* The one thing to do here. */}
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <BoundPassword name="password" label={messages.fields.password} autoFocus />
          <FormActions>
            <Button type="submit" variant="primary" isPending={check.isPending}>
              {t.confirm}
            </Button>
          </FormActions>
        </Form>
        {data !== undefined && <SsoConfirmation providers={data.providers} onDone={onPassed} />}
      </Card>
    </div>
  )
}
