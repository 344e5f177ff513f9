import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import {
  bulkFields,
  changeRoles,
  extendUsers,
  liftUsers,
  moveUsers,
  otherInWords,
  previewBulk,
  restoreUsers,
  SUSPENDED_FOR,
  suspendUsers,
  withdrawUsers,
  type BulkAction,
} from '../../../../contract/users.ts'
import { CallError } from '../../../api/call-error.ts'
import { useCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { Form, useSchemaForm } from '../../../forms/form.tsx'
import { showRefusalOnField } from '../../../forms/refusal.ts'
import { useCloseGuard } from '../../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { dialogs } from '../../../ui/dialogs.ts'
import { FormActions } from '../../../ui/form-grid.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { BulkFields } from './bulk-fields.tsx'
import { BulkPreview } from './bulk-preview.tsx'
import type { Selection } from './use-selection.ts'
import layout from '../../../ui/layout.module.css'

/** What the fields of any of the actions hold. */
export type BulkValues = Record<string, string>

const SCHEMAS = {
  extend: z.strictObject(bulkFields.extend),
  role: z.strictObject(bulkFields.role),
  move: z.strictObject(bulkFields.move),
  suspend: z.strictObject(bulkFields.suspend).check(otherInWords),
  lift: z.strictObject(bulkFields.lift),
  withdraw: z.strictObject(bulkFields.withdraw),
  restore: z.strictObject(bulkFields.restore),
}

const FRESH: Record<BulkAction, BulkValues> = {
  extend: { validTo: '' },
  role: { roleCode: '' },
  move: { affiliationCode: '', partnerCode: '' },
  suspend: { suspendedFor: SUSPENDED_FOR.leave, reason: '' },
  lift: { reason: '' },
  withdraw: { withdrawnReason: '' },
  restore: {},
}

/** Refusals of a change that only say that the preview is no longer true. */
const STALE: readonly string[] = ['RECORD_CHANGED', 'BULK_NOBODY', 'LAST_ADMIN', 'LAST_ADMIN_ENDS']

/** The actions of which a preview depends on what the fields hold. */
const LOOKED_AT: readonly BulkAction[] = ['extend', 'role', 'move']

const FIELD = 'input:enabled, button:enabled'

interface Props {
  action: BulkAction
  count: number
  asked: Selection['asked']
  onClose: () => void
  onDone: () => Promise<void>
}

/**
 * Asks once for a change of many people (rules/users#many-at-once): first what it needs, then who is changed and who
 * cannot be, as the server found it. When it has changed meanwhile nothing is done, and what is so now is shown.
 */
export function BulkDialog({ action, count, asked, onClose, onDone }: Props) {
  const { users, forms } = usePortalMessages()
  const t = users.bulk
  // One form for all of the actions: what it holds is checked by the action's own schema.
  const form = useSchemaForm(
    SCHEMAS[action] as unknown as z.ZodMiniType<BulkValues, BulkValues>,
    FRESH[action],
  )
  const look = useCall(previewBulk)
  const change = useChange(action)
  const [shown, setShown] = useState<{ preview: OutputOf<typeof previewBulk>; values: BulkValues }>()
  const [isStale, setStale] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const isBack = useRef(false)
  useEffect(() => {
    if (shown !== undefined) isBack.current = true
    // The button that led back is gone.
    else if (isBack.current) (fields.current?.querySelector<HTMLElement>(FIELD) ?? next.current)?.focus()
  }, [shown])
  const { isDirty, isSubmitting } = form.formState
  const close = useCloseGuard(isDirty, onClose, isSubmitting || change.isPending)

  async function show(values: BulkValues): Promise<void> {
    const needed = LOOKED_AT.includes(action) ? values : {}
    setShown({ preview: await look.mutateAsync({ ...asked, ...needed, bulkAction: action }), values })
  }

  async function submit(values: BulkValues): Promise<void> {
    try {
      setStale(false)
      await show(values)
    } catch (error) {
      await showRefusalOnField(error, form, {
        CODE_NOT_FOUND: 'roleCode',
        AFFILIATION_CLOSED: 'affiliationCode',
        PARTNER_NOT_FOUND: 'partnerCode',
        PARTNER_STOPPED: 'partnerCode',
      })
    }
  }

  async function run(): Promise<void> {
    if (shown === undefined) return
    const { values, preview } = shown
    try {
      const { userCount } = await change.run({ ...asked, ...values, version: preview.version })
      await dialogs.alert({ tone: 'success', message: t.done[action](userCount.toLocaleString()) })
      await onDone()
    } catch (error) {
      if (!(error instanceof CallError) || !STALE.includes(error.code)) return showRefusal(error)
      setStale(true)
      await show(values).catch(showRefusal)
    }
  }

  return (
    <Dialog title={t.actions[action]} width="wide" closeLabel={forms.close} onClose={close}>
      {shown === undefined ? (
        <Form form={form} draft="bulk" onSubmit={submit} className={layout.stack}>
          <p>{t.lead(count.toLocaleString())}</p>
          <div ref={fields} className={layout.stack}>
            <BulkFields action={action} />
          </div>
          <FormActions>
            <Button onClick={close}>{forms.cancel}</Button>
            <Button ref={next} type="submit" variant="primary" isPending={isSubmitting}>
              {t.next}
            </Button>
          </FormActions>
        </Form>
      ) : (
        <BulkPreview
          // Another preview puts the keyboard focus where it begins.
          key={shown.preview.version}
          action={action}
          values={shown.values}
          preview={shown.preview}
          isStale={isStale}
          onBack={() => setShown(undefined)}
          onRun={run}
        />
      )}
    </Dialog>
  )
}

/** The call of each action. */
function useChange(action: BulkAction) {
  const calls = {
    extend: useCall(extendUsers),
    role: useCall(changeRoles),
    move: useCall(moveUsers),
    suspend: useCall(suspendUsers),
    lift: useCall(liftUsers),
    withdraw: useCall(withdrawUsers),
    restore: useCall(restoreUsers),
  }
  const { mutateAsync, isPending } = calls[action] as (typeof calls)['extend']
  return { isPending, run: (input: object) => mutateAsync(input as InputOf<typeof extendUsers>) }
}
