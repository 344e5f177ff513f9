import * as z from 'zod/mini'
import { createAffiliation } from '../../../contract/affiliations.ts'
import { filter, line } from '../../../contract/fields.ts'
import { useCall } from '../../api/query.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { refreshAffiliations } from './lists.ts'
import { NEW_PARTNER, newPartner, PartnerFields } from './partner-fields.tsx'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ name: line(50), nameEn: filter(50), ...newPartner })

interface Props {
  /** @param code the affiliation that was made */
  onMade: (code: string) => void
  onClose: () => void
}

/** Adds an affiliation with its default partner code (rules/affiliations#add); over whatever form lacks it. */
export function AffiliationDialog({ onMade, onClose }: Props) {
  const t = useAffiliationTexts()
  const create = useCall(createAffiliation)
  const form = useSchemaForm(typed, { name: '', nameEn: '', ...NEW_PARTNER })

  async function save(values: z.output<typeof typed>): Promise<void> {
    try {
      const { affiliationCode } = await create.mutateAsync(values)
      await refreshAffiliations()
      await dialogs.alert({ tone: 'success', message: t.added(values.name) })
      onMade(affiliationCode)
      onClose()
    } catch (error) {
      await showRefusalOnField(error, form, {
        AFFILIATION_NAME_TAKEN: 'name',
        PARTNER_CODE_TAKEN: 'partnerCode',
        REGION_NOT_FOUND: 'districtName',
      })
    }
  }

  return (
    <FormDialog
      title={t.add}
      about=""
      form={form}
      onSubmit={save}
      onClose={onClose}
      submitLabel={t.save}
      isWide
    >
      <p className={layout.lead}>{t.addLead}</p>
      <FormGrid labels="top">
        <BoundText name="name" label={t.name} autoComplete="off" isRequired />
        <BoundText name="nameEn" label={t.nameEn} autoComplete="off" description={t.nameEnHint} />
        <PartnerFields />
      </FormGrid>
    </FormDialog>
  )
}
