import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import {
  changeLimits,
  findExceededLimit,
  LIMIT_CHANGES,
  limitForm,
  LIMITS,
  listPartners,
  previewLimits,
} from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { BoundSelect, BoundText } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { useCloseGuard } from '../../forms/use-leave-guard.ts'
import { usePortalMessages } from '../../language.tsx'
import { AffectedList } from '../../ui/affected-list.tsx'
import { Button } from '../../ui/button.tsx'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { Dialog } from '../../ui/lazy-dialog.tsx'
import { PreviewPanel } from '../../ui/preview-panel.tsx'
import { showToast } from '../../ui/toasts.ts'

/** Input of the form. */
type Values = z.input<typeof limitForm>
/** The affected partners with their limits before and after. */
type Preview = OutputOf<typeof previewLimits>

/** Initial values of the form, which change nothing. */
const EMPTY: Values = {
  limitChange: 'set',
  maxKeysPerDay: '',
  maxKeysPerWeek: '',
  maxKeysPerMonth: '',
  maxKeysTotal: '',
}

/** Refusals of a change whose preview is outdated. The dialog shows a new preview then. */
const OUTDATED: readonly string[] = ['RECORD_CHANGED', 'BULK_NOBODY']

/** The selected partners and the results of the dialog. */
interface Props {
  count: number
  /** The selected partners as input of the calls: their codes, or the filters of a search with exceptions. */
  chosen: Pick<InputOf<typeof previewLimits>, 'partnerCodes' | 'found' | 'except'>
  onClose: () => void
  /** Called after a change, before the list is read again. */
  onDone: () => void
}

/**
 * Shows the dialog that changes the limits of many partners (rules/partners#bulk-limits): a form, then a preview of the
 * limits before and after (`previewLimits`), and a button that makes the change (`changeLimits`). If a partner has
 * changed since the preview, the server changes nothing and the dialog shows a new preview.
 * @param count number of the selected partners
 */
export function LimitsDialog({ count, chosen, onClose, onDone }: Props) {
  const { forms, partners } = usePortalMessages()
  const t = partners.bulk
  const form = useSchemaForm(limitForm, EMPTY, 'onSubmit')
  const previewCall = useCall(previewLimits)
  const change = useCall(changeLimits)
  const [shown, setShown] = useState<{ preview: Preview; asked: z.output<typeof limitForm> }>()
  const [isOutdated, setOutdated] = useState(false)
  const { isDirty, isSubmitting } = form.formState
  const close = useCloseGuard(isDirty, onClose, isSubmitting || change.isPending)

  /** Shows the preview of a change. Shows a refusal in an alert and leaves the dialog as it is. */
  async function show(asked: z.output<typeof limitForm>): Promise<void> {
    try {
      setShown({ preview: await previewCall.mutateAsync({ ...chosen, ...asked }), asked })
    } catch (error) {
      await showRefusal(error)
    }
  }

  /**
   * Makes the change of the preview. Shows a new preview after a refusal in OUTDATED, and another refusal in an alert.
   */
  async function run(): Promise<void> {
    if (shown === undefined) return
    const { asked, preview } = shown
    try {
      const { partnerCount } = await change.mutateAsync({ ...chosen, ...asked, version: preview.version })
      onDone()
      await invalidate(listPartners)
      showToast(t.done(partnerCount.toLocaleString()))
    } catch (error) {
      if (!(error instanceof CallError) || !OUTDATED.includes(error.code)) return showRefusal(error)
      setOutdated(true)
      await show(asked)
    }
  }

  return (
    <Dialog title={t.open} width="wide" closeLabel={forms.close} onClose={close}>
      {shown === undefined ? (
        <Form
          form={form}
          draft="partner limits"
          onSubmit={async (asked) => {
            setOutdated(false)
            await show(asked)
          }}
          className={layout.stack}
        >
          <p>{t.lead(count.toLocaleString())}</p>
          <LimitFields />
          <FormActions>
            <Button onClick={close}>{forms.cancel}</Button>
            <Button type="submit" variant="primary" isPending={isSubmitting}>
              {t.next}
            </Button>
          </FormActions>
        </Form>
      ) : (
        <LimitsPreview
          // Another preview puts the keyboard focus where it begins.
          key={shown.preview.version}
          preview={shown.preview}
          isOutdated={isOutdated}
          isRunning={change.isPending}
          onBack={() => setShown(undefined)}
          onRun={() => void run()}
        />
      )}
    </Dialog>
  )
}

/** Shows the kind of change (set or raise) and the four limits. An empty field leaves a limit as it is. */
function LimitFields() {
  const { fields, partners } = usePortalMessages()
  const t = partners.bulk
  const isRaise = useWatch<Values, 'limitChange'>({ name: 'limitChange' }) === 'raise'
  return (
    <>
      <BoundSelect<Values>
        name="limitChange"
        label={fields.limitChange}
        choices={fixedChoices(LIMIT_CHANGES.map((value) => ({ value, label: t.changes[value] })))}
        description={isRaise ? t.raiseHint : t.setHint}
      />
      <FormGrid>
        {LIMITS.map((name) => (
          <BoundText<Values>
            key={name}
            name={name}
            label={fields[name]}
            placeholder={t.unchanged}
            autoComplete="off"
          />
        ))}
      </FormGrid>
    </>
  )
}

/** The preview and its actions. */
interface PreviewProps {
  preview: Preview
  /** True if another user changed a partner before this change: nothing was changed, and the preview is new. */
  isOutdated: boolean
  isRunning: boolean
  onBack: () => void
  onRun: () => void
}

/**
 * Shows the partners that the change affects with their limits before and after, and the button that runs it, which is
 * disabled if there are none.
 */
function LimitsPreview({ preview, isOutdated, isRunning, onBack, onRun }: PreviewProps) {
  const { fields, partners } = usePortalMessages()
  const t = partners.bulk
  const { partnerCount, unchangedCount, usedUpCount } = preview
  const text = (limit: number | null) => limit?.toLocaleString() ?? partners.noLimit

  function noteOf({ before, after }: Preview['partners'][number]): string {
    return LIMITS.filter((name) => before[name] !== after[name])
      .map((name) => {
        const longer = findExceededLimit(after, name)
        const change = t.change(fields[name], text(before[name]), text(after[name]))
        return longer === undefined ? change : `${change} ${t.above(fields[longer])}`
      })
      .join(', ')
  }

  return (
    <PreviewPanel
      headline={partnerCount === 0 ? t.nothing : t.will(partnerCount.toLocaleString())}
      warning={isOutdated ? t.stale : undefined}
    >
      <AffectedList
        title={t.list}
        total={partnerCount}
        items={preview.partners.map((partner) => ({
          id: partner.partnerCode,
          text: [partner.partnerCode, partner.partnerName].filter(Boolean).join(' · '),
          note: partner.isUsedUp ? `${noteOf(partner)} ${t.isUsedUp}` : noteOf(partner),
        }))}
        more={t.more}
      />
      {usedUpCount > 0 && <p className={layout.warning}>{t.usedUp(usedUpCount.toLocaleString())}</p>}
      {unchangedCount > 0 && <p>{t.left(unchangedCount.toLocaleString())}</p>}
      <FormActions start={<Button onClick={onBack}>{t.back}</Button>}>
        <Button variant="primary" isDisabled={partnerCount === 0} isPending={isRunning} onClick={onRun}>
          {t.run(partnerCount.toLocaleString())}
        </Button>
      </FormActions>
    </PreviewPanel>
  )
}
