import * as z from 'zod/mini'
import {
  createIncident,
  getIncident,
  INCIDENT_TEXT_LENGTH,
  INCIDENT_TITLE_LENGTH,
  LEAK_CERTAINTIES,
  listIncidents,
  updateIncident,
} from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { moment, multiline } from '../../../contract/fields.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundArea, BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'
import { useLeakTexts } from './leak-texts.ts'

/** An incident, as the API returns it. */
export type Incident = OutputOf<typeof getIncident>

const { title, leakCertainty } = createIncident.input._zod.def.shape
/** Schema of a new incident. */
const newIncident = z.strictObject({ title, leakCertainty, knownAt: moment })
/** Schema of a change, which cannot change the time of knowledge. */
const edited = z.strictObject({ title, leakCertainty, notes: multiline(INCIDENT_TEXT_LENGTH) })

/** Reads the open incident and the list of incidents again, as far as they are shown. */
export const refreshIncidents = () => Promise.all([invalidate(getIncident), invalidate(listIncidents)])

/**
 * Shows the dialog that asks for title, certainty and time of knowledge of a leak, and records it as an incident
 * (`createIncident`). Calls `onCreated` with its ID. An impossible time (INCIDENT_TIME) is refused at its field.
 */
export function CreateIncidentDialog(props: {
  onCreated: (incidentId: string) => void
  onClose: () => void
}) {
  const t = useLeakTexts()
  const create = useCall(createIncident)
  const form = useDialogForm({
    schema: newIncident,
    initial: { title: '', leakCertainty: 'POSSIBLE', knownAt: '' },
    async submit(values) {
      const { incidentId } = await create.mutateAsync(values)
      props.onCreated(incidentId)
    },
    done: () => t.created,
    fieldOf: { INCIDENT_TIME: 'knownAt' },
    onChanged: refreshIncidents,
    onClose: props.onClose,
  })
  return (
    <FormDialog title={t.create} {...form} submitLabel={t.create} className={layout.stack}>
      <Facts isNew />
    </FormDialog>
  )
}

/**
 * Edits title, certainty and notes of an incident (`updateIncident`). A conflict keeps the dialog open, so that no
 * input is lost; a closed incident (INCIDENT_CLOSED) closes it.
 */
export function EditIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const t = useLeakTexts()
  const update = useCall(updateIncident)
  const { incidentId, version, notes } = incident
  const form = useDialogForm({
    schema: edited,
    initial: { title: incident.title, leakCertainty: incident.leakCertainty, notes },
    submit: (values) => update.mutateAsync({ incidentId, ...values, version }),
    done: () => t.saved,
    isOutdated: (code) => code === 'INCIDENT_CLOSED',
    onChanged: refreshIncidents,
    onClose,
  })
  return (
    <FormDialog
      title={t.edit}
      about={incidentId}
      isWide
      {...form}
      submitLabel={t.save}
      className={layout.stack}
    >
      <Facts />
      <FormGrid columns={1} labels="top">
        <BoundArea name="notes" label={t.facts.notes} rows={8} maxLength={INCIDENT_TEXT_LENGTH} />
      </FormGrid>
    </FormDialog>
  )
}

/** Shows the bound fields for title and certainty of an incident; with `isNew` also the time of knowledge. */
function Facts({ isNew = false }: { isNew?: boolean }) {
  const t = useLeakTexts()
  return (
    <FormGrid columns={1} labels="top">
      <BoundText
        name="title"
        label={t.columns.title}
        maxLength={INCIDENT_TITLE_LENGTH}
        autoComplete="off"
        isRequired
      />
      <BoundSelect
        name="leakCertainty"
        label={t.facts.certainty}
        choices={fixedChoices(LEAK_CERTAINTIES.map((value) => ({ value, label: t.certainties[value] })))}
        isRequired
      />
      {isNew && (
        <BoundText
          name="knownAt"
          label={t.columns.knownAt}
          description={t.timeHint}
          autoComplete="off"
          isRequired
        />
      )}
    </FormGrid>
  )
}
