import { useState } from 'react'
import * as z from 'zod/mini'
import { chooseDefaultPartner } from '../../../contract/affiliations.ts'
import { partnerCode } from '../../../contract/fields.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { usePartnersOf } from '../users/search/lists.ts'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { type Affiliation, refreshAffiliations } from './lists.ts'
import { PartnerDialog } from './partner-dialog.tsx'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ partnerCode })

interface Props {
  affiliation: Affiliation
  name: string
  onClose: () => void
}

/** Chooses the default partner code of an affiliation among its own, or makes one. */
export function DefaultDialog({ affiliation, name, onClose }: Props) {
  const t = useAffiliationTexts()
  const { affiliationCode, version } = affiliation
  const choose = useCall(chooseDefaultPartner)
  const [isMaking, setMaking] = useState(false)
  const form = useSchemaForm(typed, { partnerCode: affiliation.partnerCode })

  async function save(values: z.output<typeof typed>): Promise<void> {
    try {
      await choose.mutateAsync({ ...values, affiliationCode, version })
    } catch (error) {
      await showRefusalOnField(error, form, {
        PARTNER_NOT_FOUND: 'partnerCode',
        PARTNER_STOPPED: 'partnerCode',
      })
      if (!(error instanceof CallError && error.code === 'RECORD_CHANGED')) return
    }
    onClose()
    await refreshAffiliations()
  }

  return (
    <>
      <FormDialog
        title={t.partnerTitle}
        about={affiliationCode}
        form={form}
        onSubmit={save}
        onClose={onClose}
        submitLabel={t.save}
      >
        <p className={layout.lead}>{t.partnerLead(name)}</p>
        <FormGrid columns={1} labels="top">
          <BoundSelect
            name="partnerCode"
            label={t.choosePartner}
            choices={usePartnersOf(affiliationCode)}
            fallbackLabel={affiliation.partnerCode}
            isRequired
          />
        </FormGrid>
        <Button size="small" onClick={() => setMaking(true)}>
          {t.makeNew}
        </Button>
      </FormDialog>
      {isMaking && (
        <PartnerDialog
          affiliation={affiliationCode}
          onMade={(made) => {
            // The first one is the default by itself; another one is chosen, and saved with the dialog.
            if (affiliation.partnerCode === '') onClose()
            else form.setValue('partnerCode', made, { shouldDirty: true })
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}
