import * as z from 'zod/mini'
import { createAffiliationPartner } from '../../../contract/affiliations.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { code } from '../../../contract/fields.ts'
import { useCall } from '../../api/query.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { useCodes } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormGrid } from '../../ui/form-grid.tsx'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { refreshAffiliations } from './lists.ts'
import { NEW_PARTNER, newPartner, PartnerFields } from './partner-fields.tsx'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ affiliationCode: code, ...newPartner })

interface Props {
  /** The affiliation that it is for; '' lets the person choose. */
  affiliation: string
  onMade: (partnerCode: string) => void
  onClose: () => void
}

/**
 * Makes a partner code where one is missing (rules/affiliations#default-partner); over whatever form lacks it, which stays
 * as it is.
 */
export function PartnerDialog({ affiliation, onMade, onClose }: Props) {
  const t = useAffiliationTexts()
  const { fields } = usePortalMessages()
  const create = useCall(createAffiliationPartner)
  const form = useSchemaForm(typed, { affiliationCode: affiliation, ...NEW_PARTNER })

  async function save(values: z.output<typeof typed>): Promise<void> {
    try {
      const { partnerCode } = await create.mutateAsync(values)
      await refreshAffiliations()
      await dialogs.alert({ tone: 'success', message: t.made(partnerCode) })
      onMade(partnerCode)
      onClose()
    } catch (error) {
      await showRefusalOnField(error, form, {
        AFFILIATION_CLOSED: 'affiliationCode',
        AFFILIATION_NOT_FOUND: 'affiliationCode',
        PARTNER_CODE_TAKEN: 'partnerCode',
        REGION_NOT_FOUND: 'districtName',
      })
    }
  }

  return (
    <FormDialog
      title={t.makeTitle}
      about={affiliation}
      form={form}
      onSubmit={save}
      onClose={onClose}
      submitLabel={t.save}
      isWide
    >
      <p className={layout.lead}>{t.makeLead}</p>
      <FormGrid labels="top">
        <BoundSelect
          name="affiliationCode"
          label={fields.affiliationCode}
          choices={useCodes(CODE_GROUP.affiliation)}
          isDisabled={affiliation !== ''}
          isRequired
        />
        <PartnerFields />
      </FormGrid>
    </FormDialog>
  )
}
