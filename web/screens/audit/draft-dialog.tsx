import * as z from 'zod/mini'
import { INCIDENT_TEXT_LENGTH, updateIncident } from '../../../contract/audit.ts'
import { citationOf } from '../../../contract/laws.ts'
import { multiline } from '../../../contract/fields.ts'
import { leak, leakDrafts } from '../../../contract/messages/ko/leak.ts'
import { useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import layout from '../../ui/layout.module.css'
import { type Incident, refreshIncidents } from './incident-dialog.tsx'
import { useLeakTexts } from './leak-texts.ts'

/** The draft of the notice to data subjects or of the report to the authority, by the name of its field. */
export type DraftName = 'noticeDraft' | 'reportDraft'

/** Entries of the register that each draft cites, by the certainty of the leak, for `filledDraft`. */
const LAWS_OF = {
  noticeDraft: {
    CONFIRMED: ['leakNotice', 'leakNoticeHours'],
    POSSIBLE: ['leakSuspicion', 'leakNoticeHours'],
  },
  reportDraft: { CONFIRMED: ['leakReport'], POSSIBLE: ['leakReport'] },
} as const

/** Schema of the dialog. */
const typed = z.strictObject({ draft: multiline(INCIDENT_TEXT_LENGTH) })

/**
 * Edits a draft of an incident and saves it (`updateIncident`, rules/audit#leak-drafts). An empty one starts with a
 * Korean text from the incident; a button fills that in again, after a question. A conflict keeps the dialog open, so
 * that no input is lost; a closed incident (INCIDENT_CLOSED) closes it.
 */
export function DraftDialog(props: {
  incident: Incident
  name: DraftName
  title: string
  onClose: () => void
}) {
  const { incident, name, title, onClose } = props
  const t = useLeakTexts()
  const filled = filledDraft(incident, name)
  const update = useCall(updateIncident)
  const { incidentId, version } = incident
  const form = useDialogForm({
    schema: typed,
    initial: { draft: incident[name] || filled },
    submit: ({ draft }) => update.mutateAsync({ incidentId, [name]: draft, version }),
    done: () => t.saved,
    isOutdated: (code) => code === 'INCIDENT_CLOSED',
    onChanged: refreshIncidents,
    onClose,
  })

  /** Replaces the input by the text from the incident, after a question unless it is empty. */
  async function fill(): Promise<void> {
    const isEmpty = form.form.getValues('draft').trim() === ''
    const question = { title: t.drafts.fill, message: t.drafts.fillAsk, isDanger: true }
    if (isEmpty || (await dialogs.confirm(question)))
      form.form.setValue('draft', filled, { shouldDirty: true })
  }

  return (
    <FormDialog
      title={title}
      about={incidentId}
      isWide
      {...form}
      submitLabel={t.save}
      className={layout.stack}
    >
      <p className={layout.quiet}>{t.drafts.lead}</p>
      <BoundArea name="draft" label={title} rows={20} maxLength={INCIDENT_TEXT_LENGTH} />
      <div className={layout.row}>
        <Button size="small" onClick={() => void fill()}>
          {t.drafts.fill}
        </Button>
      </div>
    </FormDialog>
  )
}

/**
 * Returns the Korean text of a draft, filled from the incident: its times, numbers of people, notices, officer and
 * legal grounds. Missing values become a blank to fill in.
 */
function filledDraft(incident: Incident, name: DraftName): string {
  const { blank, noticeText, noNotice, reportText } = leakDrafts
  const text = name === 'noticeDraft' ? noticeText : reportText
  const notices = incident.incidentRecords.filter(({ incidentRecord }) => incidentRecord === 'NOTICE')
  const counts = [incident.personCount, incident.withdrawnCount, incident.erasedCount]
  const [all = '', withdrawn = '', erased = ''] = counts.map((count) => count.toLocaleString())
  return text({
    portal: incident.portalName,
    title: incident.title,
    knownAt: incident.knownAt,
    firstAt: incident.firstTouchedAt || blank,
    lastAt: incident.lastTouchedAt || blank,
    people: leak.peopleOf(all, withdrawn, erased),
    tasks: incident.tasks.join(', ') || blank,
    notes: incident.notes || blank,
    officer: incident.officerName || blank,
    contact: incident.officerContact || blank,
    isConfirmed: incident.leakCertainty === 'CONFIRMED',
    notices:
      notices
        .map((one) =>
          leakDrafts.notice(one.happenedAt, one.deliveryMethod, one.notifiedCount.toLocaleString()),
        )
        .join(', ') || noNotice,
    law: LAWS_OF[name][incident.leakCertainty].map((law) => citationOf(law, 'ko')).join(', '),
  })
}
