import * as z from 'zod/mini'
import {
  getInspection,
  listInspections,
  REMARK_LENGTH,
  remarkFindings,
  VERDICTS,
} from '../../../contract/audit.ts'
import { CallError } from '../../api/call-error.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import type { Inspection } from './inspection.page.tsx'
import { useInspectionTexts } from './inspection-texts.ts'

const { verdict, remark } = remarkFindings.input._zod.def.shape
const typed = z.strictObject({ verdict, remark })
type Values = { verdict: string; remark: string }

interface Props {
  month: string
  findings: readonly Inspection['findings'][number][]
  onDone: () => void
  onClose: () => void
}

/** Asks for a remark, and adds it to all selected findings. */
export function RemarkDialog({ month, findings, onDone, onClose }: Props) {
  const t = useInspectionTexts().month
  const call = useCall(remarkFindings)
  const [first] = findings
  const before = findings.length === 1 ? first : undefined
  const form = useSchemaForm<Values, z.output<typeof typed>>(typed, {
    verdict: before?.verdict || VERDICTS[0],
    remark: before?.remark ?? '',
  })

  async function submit(values: z.output<typeof typed>): Promise<void> {
    try {
      await call.mutateAsync({ month, findingIds: findings.map(({ findingId }) => findingId), ...values })
    } catch (error) {
      await showRefusalOnField(error, form, {})
      // Another user has signed it or searched again, so show its current state.
      if (error instanceof CallError && STALE.includes(error.code)) {
        onClose()
        await invalidate(getInspection)
      }
      return
    }
    onDone()
    await Promise.all([invalidate(getInspection), invalidate(listInspections)])
    await dialogs.alert({ tone: 'success', message: t.remarked })
  }

  return (
    <FormDialog
      title={t.remarkTitle}
      about={findings.map(({ findingId }) => findingId).join(' ')}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.remark}
      className={layout.stack}
    >
      <p className={layout.quiet}>{t.remarkLead(findings.length)}</p>
      <FormGrid columns={1} labels="top">
        <BoundSelect<Values>
          name="verdict"
          label={t.verdictLabel}
          choices={fixedChoices(VERDICTS.map((value) => ({ value, label: t.verdicts[value] })))}
          isRequired
        />
        <BoundArea<Values>
          name="remark"
          label={t.remarkLabel}
          rows={4}
          maxLength={REMARK_LENGTH}
          isRequired
        />
      </FormGrid>
    </FormDialog>
  )
}

const STALE: readonly string[] = ['FINDING_NOT_FOUND', 'INSPECTION_SIGNED']
