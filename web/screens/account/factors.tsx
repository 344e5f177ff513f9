import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  beginTotp,
  confirmTotp,
  getFactors,
  removeTotp,
  renewRecoveryCodes,
} from '../../../contract/account/second-factor.ts'
import { getAuthority } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { invalidate, recordQuery } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { LoadState } from '../../forms/load-error.tsx'
import type { GateKeeper } from '../../layout/password-gate.tsx'
import { minuteOf } from '../../lists/columns.ts'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { FactorPart } from './factor-part.tsx'
import { useFactorTexts } from './factor-texts.ts'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpApp } from './set-up-app.tsx'
import { showToast } from '../../ui/toasts.ts'

/** Number of unused recovery codes at or below which the page advises new ones. */
const FEW_CODES = 3

/**
 * Shows the user's second factors (rules/account#second-factor): the authenticator app and the passkeys, to set up and
 * to remove, and the recovery codes, to replace. The calls for app and codes are `beginTotp`, `confirmTotp`,
 * `removeTotp` and `renewRecoveryCodes`; removing and replacing ask first. Every change needs the password re-entry
 * (`guarded`); a refusal is shown.
 */
export function Factors({ guarded }: GateKeeper) {
  const t = useFactorTexts()
  const factors = useQuery(recordQuery(getFactors, {}))
  const [begun, setBegun] = useState<OutputOf<typeof beginTotp>>()
  const [codes, setCodes] = useState<readonly string[]>()
  const { data } = factors

  /** Reads the user's factors again, and whether more are required (rules/account#required-factor). */
  const refresh = () => Promise.all([factors.refetch(), invalidate(getAuthority)])

  /**
   * Makes a change behind the password re-entry, then reads the factors again. Shows a refusal and returns undefined
   * then.
   */
  async function change<T>(work: () => Promise<T>): Promise<T | undefined> {
    const answer = await guarded(work).catch(showRefusal)
    await refresh()
    return answer ?? undefined
  }

  /**
   * Makes the last step of a setup, closes its dialog, and shows the message `added` or the new recovery codes. Repeats
   * it behind the password re-entry if the server requires that.
   * @throws {CallError} for other refusals; the dialog stays open
   */
  async function finish(
    work: () => Promise<{ recoveryCodes: string[] }>,
    close: () => void,
    added: string,
  ): Promise<void> {
    let answer
    try {
      answer = await work()
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'PASSWORD_CHECK_REQUIRED')) throw error
      // No dialog may cover the gate.
      close()
      answer = await change(work)
    }
    close()
    await refresh()
    if (answer === undefined) return
    if (answer.recoveryCodes.length > 0) setCodes(answer.recoveryCodes)
    else showToast(added)
  }

  const confirm = (code: string, enrolment: string) =>
    finish(
      () => call(confirmTotp, { enrolment, code }),
      () => setBegun(undefined),
      t.added,
    )

  async function remove(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.removeTitle, message: t.removeText, isDanger: true }))) return
    if ((await change(() => call(removeTotp, {}))) !== undefined) showToast(t.removed)
  }

  async function renew(): Promise<void> {
    if (!(await dialogs.confirm({ title: t.renewTitle, message: t.renewText }))) return
    setCodes((await change(() => call(renewRecoveryCodes, {})))?.recoveryCodes)
  }

  if (data === undefined) return <LoadState query={factors} loading={t.loading} failed={t.failed} />
  const hasApp = data.totpSince !== ''
  return (
    <div className={layout.parts}>
      <FactorPart
        title={t.app}
        lead={t.appLead}
        state={
          hasApp
            ? `${t.since(minuteOf(data.totpSince))} · ${t.lastUsed(minuteOf(data.totpLastUsedAt))}`
            : t.none
        }
        actions={
          <>
            <Button
              size="small"
              variant={hasApp ? 'secondary' : 'primary'}
              onClick={() => void change(() => call(beginTotp, {})).then(setBegun)}
            >
              {hasApp ? t.setUpAnew : t.setUp}
            </Button>
            {hasApp && (
              <Button size="small" variant="danger" onClick={() => void remove()}>
                {t.remove}
              </Button>
            )}
          </>
        }
      />
      <Passkeys
        passkeys={data.passkeys}
        passkeysAt={data.passkeysAt}
        change={change}
        finish={finish}
        refresh={refresh}
      />
      {data.codesSince !== '' && (
        <FactorPart
          title={t.codes}
          lead={t.codesLead}
          state={t.codesLeft(data.codesLeft, minuteOf(data.codesSince))}
          warning={data.codesLeft <= FEW_CODES ? t.codesFew : undefined}
          actions={
            <Button size="small" onClick={() => void renew()}>
              {t.renew}
            </Button>
          }
        />
      )}
      {begun !== undefined && (
        <SetUpApp
          begun={begun}
          isReplacement={hasApp}
          confirm={confirm}
          onClose={() => setBegun(undefined)}
        />
      )}
      {codes !== undefined && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </div>
  )
}
