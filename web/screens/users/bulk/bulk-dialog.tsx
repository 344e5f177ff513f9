import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import {
  BULK_CHANGES,
  bulkFields,
  otherInWords,
  previewBulk,
  SUSPENDED_FOR,
  type BulkAction,
} from '../../../../contract/users.ts'
import { CallError } from '../../../api/call-error.ts'
import { useCall, useMailingCall } from '../../../api/query.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { askGrantReason } from '../../../forms/ask-grant-reason.tsx'
import { Form, useSchemaForm } from '../../../forms/form.tsx'
import { showRefusalOnField } from '../../../forms/show-refusal-on-field.ts'
import { useCloseGuard } from '../../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form-grid.tsx'
import { Dialog } from '../../../ui/lazy-dialog.tsx'
import { showRecentChanges } from './recent-changes.ts'
import { BulkFields, BulkPreview, type BulkValues } from './bulk-parts.tsx'
import type { UserSelection } from './use-selection.ts'
import layout from '../../../ui/layout.module.css'
import { showToast } from '../../../ui/toasts.ts'

/** Schema of the form of each bulk action. */
const SCHEMAS = {
  extend: z.strictObject(bulkFields.extend),
  role: z.strictObject(bulkFields.role),
  move: z.strictObject(bulkFields.move),
  team: z.strictObject(bulkFields.team),
  suspend: z.strictObject(bulkFields.suspend).check(otherInWords),
  lift: z.strictObject(bulkFields.lift),
  invite: z.strictObject(bulkFields.invite),
  withdraw: z.strictObject(bulkFields.withdraw),
  restore: z.strictObject(bulkFields.restore),
}

/** Values with which the form of each bulk action begins. */
const EMPTY: Record<BulkAction, BulkValues> = {
  extend: { validTo: '' },
  role: { roleCode: '' },
  move: { affiliationCode: '', partnerCode: '' },
  team: { teamId: '' },
  suspend: { suspendedFor: SUSPENDED_FOR.leave, reason: '' },
  lift: { reason: '' },
  invite: {},
  withdraw: { withdrawnReason: '' },
  restore: {},
}

/** Error codes that mean that the preview of a bulk change is outdated. */
export const OUTDATED: readonly string[] = ['RECORD_CHANGED', 'BULK_NOBODY', 'LAST_ADMIN', 'LAST_ADMIN_ENDS']

/** Actions whose preview depends on the values of the form. */
const PREVIEWED_WITH_VALUES: readonly BulkAction[] = ['extend', 'role', 'move', 'team']

/** CSS selector of the elements of a form that can have the focus. */
const FIELD = 'input:enabled, button:enabled'

/** Props of `BulkDialog`. `count` is the number of selected users, `asked` the selection as input of the calls. */
interface Props {
  action: BulkAction
  count: number
  asked: UserSelection['asked']
  onClose: () => void
  onDone: () => Promise<void>
}

/**
 * Shows the dialog of a bulk action (rules/users#bulk-changes): its form, and then a preview (`previewBulk`) of the
 * users that will change and of those that cannot, whose button makes the change. If these users have changed since the
 * preview, the server changes nothing and the dialog shows a new preview. A new role also asks for the grant record. A
 * success shows a toast, from which the user can undo an extension, role, move or team of several users. Asks before it
 * closes with unsaved input.
 */
export function BulkDialog({ action, count, asked, onClose, onDone }: Props) {
  const { users, forms } = usePortalMessages()
  const t = users.bulk
  const router = useRouter()
  const form = useSchemaForm<BulkValues>(SCHEMAS[action], EMPTY[action])
  const previewCall = useCall(previewBulk)
  const change = useMailingCall(BULK_CHANGES[action])
  const [shown, setShown] = useState<{ preview: OutputOf<typeof previewBulk>; values: BulkValues }>()
  const [isOutdated, setOutdated] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const isBack = useRef(false)
  useEffect(() => {
    if (shown !== undefined) isBack.current = true
    // The back button of the preview is gone.
    else if (isBack.current) (fields.current?.querySelector<HTMLElement>(FIELD) ?? next.current)?.focus()
  }, [shown])
  const { isDirty, isSubmitting } = form.formState
  const close = useCloseGuard(isDirty, onClose, isSubmitting || change.isPending)

  function openRecent(): void {
    showRecentChanges(true)
    // The toast stays while the user opens other pages.
    if (router.state.location.pathname !== '/user/search') void router.navigate({ to: '/user/search' })
  }

  async function show(values: BulkValues): Promise<void> {
    const fieldsOfPreview = PREVIEWED_WITH_VALUES.includes(action) ? values : {}
    const preview = await previewCall.mutateAsync({ ...asked, ...fieldsOfPreview, bulkAction: action })
    setShown({ preview, values })
  }

  async function submit(values: BulkValues): Promise<void> {
    try {
      setOutdated(false)
      await show(values)
    } catch (error) {
      await showRefusalOnField(error, form, {
        CODE_NOT_FOUND: action === 'role' ? 'roleCode' : 'affiliationCode',
        AFFILIATION_CLOSED: 'affiliationCode',
        PARTNER_NOT_FOUND: 'partnerCode',
        PARTNER_STOPPED: 'partnerCode',
        TEAM_NOT_FOUND: 'teamId',
      })
    }
  }

  async function run(): Promise<void> {
    if (shown === undefined) return
    const { values, preview } = shown
    const reason = action === 'role' ? await askGrantReason(values['roleCode']) : {}
    if (reason === undefined) return
    try {
      const input = z.parse(BULK_CHANGES[action].input, {
        ...asked,
        ...values,
        ...reason,
        version: preview.version,
      })
      const { data, msg } = await change.mutateAsync(input)
      const { userCount } = data
      // A change of a single user is no bulk change, and the others have an opposite action.
      const isUndoable = userCount > 1 && PREVIEWED_WITH_VALUES.includes(action)
      showToast({
        // Without a mail server the mails were only written to files.
        message: msg || t.done[action](userCount.toLocaleString()),
        undo: isUndoable ? openRecent : undefined,
      })
      await onDone()
    } catch (error) {
      if (!(error instanceof CallError) || !OUTDATED.includes(error.code)) return showRefusal(error)
      setOutdated(true)
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
          isOutdated={isOutdated}
          onBack={() => setShown(undefined)}
          onRun={run}
        />
      )}
    </Dialog>
  )
}
