import * as z from 'zod/mini'
import { getPolicy, LAW_NOTE_LENGTH, updateLawNote } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { LAWS, type LawName } from '../../../contract/laws.ts'
import type { PolicyTexts } from '../../../contract/messages/ko/policy.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { invalidate, useCall } from '../../api/query.ts'
import { BoundArea } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../language.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'

/** The company's basis and remark on an entry of the register. */
export type LawNote = OutputOf<typeof getPolicy>['lawNotes'][number]

const { companyBasis, companyRemark } = updateLawNote.input._zod.def.shape
/** Schema of the dialog. */
const typed = z.strictObject({ companyBasis, companyRemark })
/** Input of the dialog. */
type Values = z.input<typeof typed>

/** The entry and its saved texts. */
interface Props {
  law: LawName
  note: LawNote
  t: PolicyTexts
  language: Language
  onClose: () => void
}

/**
 * Shows the dialog that edits the company's basis and remark on an entry of the register, and saves both
 * (`updateLawNote`, rules/audit#law-notes). An edit conflict closes it, and the page is read again.
 */
export function LawNoteDialog({ law, note, t, language, onClose }: Props) {
  const { fields } = usePortalMessages()
  const update = useCall(updateLawNote)
  const { version } = note
  const form = useDialogForm<Values, z.output<typeof typed>, unknown>({
    schema: typed,
    initial: { companyBasis: note.companyBasis, companyRemark: note.companyRemark },
    submit: (values) => update.mutateAsync({ law, ...values, version }),
    done: () => t.laws.saved,
    onChanged: () => invalidate(getPolicy),
    onClose,
  })
  return (
    <FormDialog
      title={t.laws.editTitle}
      about={law}
      {...form}
      submitLabel={t.laws.save}
      className={layout.stack}
    >
      <p className={layout.quiet}>{LAWS[law].duty[language]}</p>
      <FormGrid columns={1} labels="top">
        {(['companyBasis', 'companyRemark'] as const).map((name) => (
          <BoundArea<Values>
            key={name}
            name={name}
            label={fields[name]}
            rows={3}
            maxLength={LAW_NOTE_LENGTH}
          />
        ))}
      </FormGrid>
    </FormDialog>
  )
}
