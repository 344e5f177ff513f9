import { useFormContext } from 'react-hook-form'
import {
  CONTACT_LENGTH,
  PARTNER_MEMO_LENGTH,
  PARTNER_NAME_LENGTH,
  PARTNER_TYPE,
} from '../../../contract/partners.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundArea, BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices, useAffiliations } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AffiliationHelp } from '../affiliations/help.tsx'
import { CodeField, type CodeCheck } from './code-field.tsx'
import type { PartnerRecord, PartnerValues } from './form-values.ts'
import { RegionFields, type Region } from './region-fields.tsx'
import layout from '../../ui/layout.module.css'

/**
 * Shows the card 'basic info' of a new partner (rules/partners#register-partner): code, type, region, affiliation,
 * name, contact and note. Must be inside a `Form` of `PartnerValues`.
 */
export function NewBasicCard({ check, region }: { check: CodeCheck; region: Region }) {
  const { fields, partners: t } = usePortalMessages()
  const { setValue, clearErrors } = useFormContext<PartnerValues>()
  const types = Object.values(PARTNER_TYPE).map((type) => ({ value: type, label: t.type[type] }))
  return (
    <Card title={t.basicInfo}>
      <FormGrid>
        <CodeField check={check} />
        <BoundSelect name="partnerType" label={fields.partnerType} choices={fixedChoices(types)} isRequired />
        <RegionFields region={region} />
        <div>
          <BoundSelect
            name="affiliationCode"
            label={fields.affiliationCode}
            choices={useAffiliations()}
            isRequired
          />
          <div className={layout.underField}>
            <AffiliationHelp
              onMade={(code) => {
                setValue('affiliationCode', code, { shouldDirty: true })
                clearErrors('affiliationCode')
              }}
            />
          </div>
        </div>
        <Words />
      </FormGrid>
    </Card>
  )
}

/**
 * Shows the card 'basic info' of an existing partner, whose code, type and affiliation are read-only
 * (rules/partners#edit-partner). Must be inside a `Form` of `PartnerValues`.
 */
export function SavedBasicCard({ record, region }: { record: PartnerRecord; region: Region }) {
  const { fields, partners: t } = usePortalMessages()
  return (
    <Card title={t.basicInfo}>
      <FormGrid>
        <Fixed label={fields.partnerCode} value={record.partnerCode} />
        <Fixed label={fields.partnerType} value={t.type[record.partnerType]} />
        <RegionFields region={region} />
        <Fixed label={fields.affiliationCode} value={record.affiliationName} />
        <Words />
      </FormGrid>
    </Card>
  )
}

/** Shows the fields for the partner's name, the contact and the note. */
function Words() {
  const { fields, partners: t } = usePortalMessages()
  return (
    <>
      <BoundText<PartnerValues>
        name="partnerName"
        label={fields.partnerName}
        maxLength={PARTNER_NAME_LENGTH}
        autoComplete="off"
      />
      <BoundText<PartnerValues>
        name="contact"
        label={fields.contact}
        maxLength={CONTACT_LENGTH}
        autoComplete="off"
      />
      <BoundArea<PartnerValues> name="memo" label={t.memo} rows={3} maxLength={PARTNER_MEMO_LENGTH} isWide />
    </>
  )
}

/** Shows a read-only value in the form of a field. */
function Fixed({ label, value }: { label: string; value: string }) {
  return <TextField label={label} value={value} onChange={() => {}} isReadOnly />
}
