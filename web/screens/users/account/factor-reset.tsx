import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { listHistory } from '../../../../contract/audit.ts'
import { factorReset as en } from '../../../../contract/messages/en/factor-reset.ts'
import { factorReset as ko } from '../../../../contract/messages/ko/factor-reset.ts'
import {
  askFactorReset,
  confirmFactorReset,
  getFactorReset,
  REASON_MAX,
  refuseFactorReset,
  withdrawFactorReset,
} from '../../../../contract/users.ts'
import { callWithMessage } from '../../../api/client.ts'
import { invalidate, recordQuery } from '../../../api/query.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { LoadState } from '../../../forms/load-error.tsx'
import { useDialogForm } from '../../../forms/use-dialog-form.ts'
import { createTexts } from '../../../language.tsx'
import { minuteOf } from '../../../lists/columns.ts'
import { Button } from '../../../ui/button.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import layout from '../../../ui/layout.module.css'

const useTexts = createTexts({ ko, en })

/** Administrator action on a reset of second factors. */
type ResetAct = 'ask' | 'withdraw' | 'confirm' | 'refuse'

/** Actions that require a reason. */
const REASONED: readonly ResetAct[] = ['ask', 'refuse']

const reasoned = z.pick(askFactorReset.input, { reason: true })
const unreasoned = z.strictObject({ reason: z.string() })

/**
 * Shows to administrators whether a user has second factors and the open reset request, with the actions that the
 * viewer may take: one administrator requests a reset, and another confirms it (rules/users#factor-reset). Explains why
 * an action is missing.
 */
export function FactorReset({ userId }: { userId: string }) {
  const t = useTexts()
  const found = useQuery(recordQuery(getFactorReset, { userId }))
  const [open, setOpen] = useState<ResetAct>()
  const place = useRef<HTMLDivElement>(null)
  const { data } = found
  const reset = data?.reset

  async function onChanged(): Promise<void> {
    await found.refetch()
    void invalidate(listHistory)
    // The pressed button may have been removed with its subject.
    place.current?.focus()
  }
  const button = (act: ResetAct, variant?: 'primary' | 'danger') => (
    <Button size="small" variant={variant} onClick={() => setOpen(act)}>
      {t[act].open}
    </Button>
  )

  return (
    <div ref={place} tabIndex={-1} className={layout.stack}>
      {data !== undefined ? (
        <>
          <p>{data.hasFactor ? t.has : t.hasNone}</p>
          {reset !== undefined && (
            <FactList
              facts={[
                [t.state, reset.ownRequest ? t.waitsForOther : t.waitsForYou],
                [t.asker, `${reset.askerName} (${reset.askerId})`],
                [t.reason, reset.reason],
                [t.askedAt, minuteOf(reset.askedAt)],
                [t.expiresAt, minuteOf(reset.expiresAt)],
              ]}
            />
          )}
          {data.hasFactor && !data.ownFactor && <p className={layout.warning}>{t.noFactor}</p>}
          {data.hasFactor && data.involved && <p className={layout.warning}>{t.involved}</p>}
          {data.hasFactor && data.passwordEnds && <p className={layout.warning}>{t.passwordEnds}</p>}
          {reset?.mayConfirm === false && !reset.ownRequest && !data.involved && (
            <p className={layout.warning}>{t.related}</p>
          )}
          {data.alone && data.hasFactor && !data.involved && (
            <p className={layout.warning}>{t.alone(userId)}</p>
          )}
          <div className={layout.row}>
            {reset === undefined && data.hasFactor && !data.alone && data.ownFactor && button('ask')}
            {reset?.ownRequest === true && button('withdraw')}
            {reset?.ownRequest === false &&
              reset.mayConfirm &&
              data.ownFactor &&
              button('confirm', 'primary')}
            {reset?.ownRequest === false && button('refuse', 'danger')}
          </div>
        </>
      ) : (
        <LoadState query={found} loading={t.loading} failed={t.failed} />
      )}
      {open !== undefined && (
        <ResetDialog
          act={open}
          userId={userId}
          resetId={reset?.resetId ?? ''}
          onChanged={onChanged}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

interface DialogProps {
  act: ResetAct
  /** Login ID of the user whose factors are reset. */
  userId: string
  resetId: string
  onChanged: () => Promise<void>
  onClose: () => void
}

/**
 * Shows a dialog that asks for confirmation of an action, and for a reason if the action requires one, and makes the
 * call.
 */
function ResetDialog({ act, userId, resetId, ...afterwards }: DialogProps) {
  const t = useTexts()
  const words = t[act]
  const isReasoned = REASONED.includes(act)
  const dialog = useDialogForm({
    schema: isReasoned ? reasoned : unreasoned,
    initial: { reason: '' },
    submit({ reason }): Promise<{ msg: string }> {
      if (act === 'ask') return callWithMessage(askFactorReset, { userId, reason })
      if (act === 'withdraw') return callWithMessage(withdrawFactorReset, { userId, resetId })
      if (act === 'confirm') return callWithMessage(confirmFactorReset, { userId, resetId })
      return callWithMessage(refuseFactorReset, { userId, resetId, reason })
    },
    done: ({ msg }) => [words.done, msg].join('\n').trim(),
    ...afterwards,
  })
  return (
    <FormDialog
      {...dialog}
      title={words.title}
      about={userId}
      submitLabel={words.open}
      isDanger={act === 'confirm'}
      className={layout.stack}
    >
      <p>{words.lead}</p>
      {isReasoned && (
        <BoundText
          name="reason"
          label={t.reason}
          maxLength={REASON_MAX}
          autoComplete="off"
          isRequired
          // The user opens the dialog to type this.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
      )}
    </FormDialog>
  )
}
