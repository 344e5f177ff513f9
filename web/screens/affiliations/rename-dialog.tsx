import * as z from 'zod/mini'
import { renameAffiliation } from '../../../contract/affiliations.ts'
import { filter, line } from '../../../contract/fields.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { type Affiliation, refreshAffiliations } from './lists.ts'

const typed = z.strictObject({ name: line(50), nameEn: filter(50) })

/** Renames an affiliation in both languages (rules/affiliations#rename). */
export function RenameDialog({ affiliation, onClose }: { affiliation: Affiliation; onClose: () => void }) {
  const t = useAffiliationTexts()
  const rename = useCall(renameAffiliation)
  const { affiliationCode, name, nameEn, version } = affiliation
  const form = useSchemaForm(typed, { name, nameEn })

  async function save(values: z.output<typeof typed>): Promise<void> {
    try {
      await rename.mutateAsync({ ...values, affiliationCode, version })
    } catch (error) {
      await showRefusalOnField(error, form, { AFFILIATION_NAME_TAKEN: 'name' })
      // The list behind the dialog shows the current name.
      if (!(error instanceof CallError && error.code === 'RECORD_CHANGED')) return
    }
    onClose()
    await refreshAffiliations()
  }

  return (
    <FormDialog
      title={t.rename}
      about={affiliationCode}
      form={form}
      onSubmit={save}
      onClose={onClose}
      submitLabel={t.save}
    >
      <FormGrid columns={1} labels="top">
        <BoundText name="name" label={t.name} autoComplete="off" isRequired />
        <BoundText name="nameEn" label={t.nameEn} autoComplete="off" description={t.nameEnHint} />
      </FormGrid>
    </FormDialog>
  )
}
