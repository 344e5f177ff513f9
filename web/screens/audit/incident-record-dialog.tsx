import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  INCIDENT_METHOD_LENGTH,
  INCIDENT_RECORDS,
  INCIDENT_REMARK_LENGTH,
  incidentRecordChecks,
  incidentRecordFields,
  REASONED_RECORDS,
  RECEIPT_NUMBER_LENGTH,
  recordIncident,
} from '../../../contract/audit.ts'
import { useCall } from '../../api/query.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundArea, BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { minuteOf } from '../../lists/columns.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { type Incident, refreshIncidents } from './incident-dialog.tsx'
import { useLeakTexts } from './leak-texts.ts'

/** The schema of the form, which has the number of people as text. */
const typed = z
  .strictObject({ ...incidentRecordFields, notifiedCount: z.pipe(z.string(), z.transform(Number)) })
  .check(...incidentRecordChecks)
/** Input of the form. */
type Values = z.input<typeof typed>

/**
 * Asks for a record of an incident (a notice, a report, a decision or the closing, for example) and adds it
 * (`recordIncident`, rules/audit#leak-records). Fields that its kind does not have are sent empty. INCIDENT_TIME and
 * INCIDENT_UNDECIDED are shown at their fields; a closed or changed incident closes the dialog.
 */
export function IncidentRecordDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { timeHint, records: t, save, saved } = useLeakTexts()
  const record = useCall(recordIncident)
  const { incidentId, version } = incident
  const form = useDialogForm({
    schema: typed,
    initial: {
      incidentRecord: 'NOTICE',
      happenedAt: minuteOf(incident.readAt),
      deliveryMethod: '',
      notifiedCount: '',
      receiptNumber: '',
      remark: '',
    },
    submit: (values) => {
      const { incidentRecord: kind } = values
      return record.mutateAsync({
        ...values,
        incidentId,
        version,
        deliveryMethod: kind === 'NOTICE' || kind === 'REPORT' ? values.deliveryMethod : '',
        notifiedCount: kind === 'NOTICE' ? values.notifiedCount : 0,
        receiptNumber: kind === 'REPORT' ? values.receiptNumber : '',
      })
    },
    done: () => saved,
    fieldOf: { INCIDENT_TIME: 'happenedAt', INCIDENT_UNDECIDED: 'incidentRecord' },
    isOutdated: (code) => code === 'INCIDENT_CLOSED' || code === 'RECORD_CHANGED',
    onChanged: refreshIncidents,
    onClose,
  })
  const kind = useWatch({ control: form.form.control, name: 'incidentRecord' })
  return (
    <FormDialog title={t.add} about={incidentId} {...form} submitLabel={save} className={layout.stack}>
      <FormGrid columns={1} labels="top">
        <BoundSelect<Values>
          name="incidentRecord"
          label={t.columns.incidentRecord}
          description={t.hints[kind]}
          choices={fixedChoices(INCIDENT_RECORDS.map((value) => ({ value, label: t.kinds[value] })))}
          isRequired
        />
        <BoundText<Values>
          name="happenedAt"
          label={t.columns.happenedAt}
          description={timeHint}
          autoComplete="off"
          isRequired
        />
        {(kind === 'NOTICE' || kind === 'REPORT') && (
          <BoundText<Values>
            name="deliveryMethod"
            label={kind === 'NOTICE' ? t.noticeMethod : t.reportMethod}
            maxLength={INCIDENT_METHOD_LENGTH}
            autoComplete="off"
            isRequired
          />
        )}
        {kind === 'NOTICE' && (
          <BoundText<Values>
            name="notifiedCount"
            label={t.notifiedCount}
            inputMode="numeric"
            autoComplete="off"
            isRequired
          />
        )}
        {kind === 'REPORT' && (
          <BoundText<Values>
            name="receiptNumber"
            label={t.receiptNumber}
            maxLength={RECEIPT_NUMBER_LENGTH}
            autoComplete="off"
          />
        )}
        <BoundArea<Values>
          name="remark"
          label={t.remark}
          rows={4}
          maxLength={INCIDENT_REMARK_LENGTH}
          isRequired={REASONED_RECORDS.includes(kind)}
        />
      </FormGrid>
    </FormDialog>
  )
}
