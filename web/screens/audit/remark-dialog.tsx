import * as z from 'zod/mini'
import {
  getInspection,
  listInspections,
  REMARK_LENGTH,
  remarkFindings,
  VERDICTS,
} from '../../../contract/audit.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import type { Inspection } from './inspection.page.tsx'
import { useInspectionTexts } from './inspection-texts.ts'

const { verdict, remark } = remarkFindings.input._zod.def.shape
/** Schema of the dialog. */
const typed = z.strictObject({ verdict, remark })
/** Input of the dialog. */
type Values = { verdict: string; remark: string }

/** The selected findings of a month. */
interface Props {
  month: string
  findings: readonly Inspection['findings'][number][]
  onDone: () => void
  onClose: () => void
}

/**
 * Shows the dialog that asks for a verdict and a remark, and stores both for all selected findings (`remarkFindings`).
 * It starts with those of a single finding. Calls `onDone` after it. A signed inspection or a missing finding closes
 * the dialog, and the inspection is read again.
 */
export function RemarkDialog({ month, findings, onDone, onClose }: Props) {
  const t = useInspectionTexts().month
  const call = useCall(remarkFindings)
  const [first] = findings
  const before = findings.length === 1 ? first : undefined
  const form = useDialogForm<Values, z.output<typeof typed>, void>({
    schema: typed,
    initial: { verdict: before?.verdict || VERDICTS[0], remark: before?.remark ?? '' },
    async submit(values) {
      await call.mutateAsync({ month, findingIds: findings.map(({ findingId }) => findingId), ...values })
      onDone()
    },
    done: () => t.remarked,
    // Another user has signed it or searched again, so show its current state.
    isOutdated: (code) => code === 'FINDING_NOT_FOUND' || code === 'INSPECTION_SIGNED',
    onChanged: () => Promise.all([invalidate(getInspection), invalidate(listInspections)]),
    onClose,
  })

  return (
    <FormDialog
      title={t.remarkTitle}
      about={findings.map(({ findingId }) => findingId).join(' ')}
      {...form}
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
