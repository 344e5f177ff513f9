import { useState } from 'react'
import * as z from 'zod/mini'
import {
  changeParentAffiliation,
  chooseDefaultPartner,
  createAffiliation,
  createAffiliationPartner,
  renameAffiliation,
} from '../../../contract/affiliations.ts'
import { code, filter, line, partnerCode } from '../../../contract/fields.ts'
import { call } from '../../api/client.ts'
import { BoundCheckbox } from '../../forms/bound-checkbox.tsx'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices, useAffiliations } from '../../forms/choices.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useDialogForm } from '../../forms/use-dialog-form.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { FormGrid } from '../../ui/form-grid.tsx'
import { usePartnersOf } from '../users/search/lists.ts'
import { useAffiliationTexts } from './affiliation-texts.ts'
import { type Affiliation, refreshAffiliations } from './lists.ts'
import { NEW_PARTNER, newPartner, PartnerFields } from './partner-fields.tsx'
import layout from '../../ui/layout.module.css'

/** Schema of both names of an affiliation. The English one may be empty. */
const names = { name: line(50), nameEn: filter(50) }

interface AffiliationProps {
  /** Called with the code of the created affiliation. */
  onMade: (code: string) => void
  onClose: () => void
}

/**
 * Shows a dialog that adds an affiliation with its default partner code by `createAffiliation`
 * (rules/affiliations#add). A form that opens it keeps its input. AFFILIATION_NAME_TAKEN, PARTNER_CODE_TAKEN and
 * REGION_NOT_FOUND appear at their field.
 */
export function AffiliationDialog({ onMade, onClose }: AffiliationProps) {
  const t = useAffiliationTexts()
  const dialog = useDialogForm({
    schema: z.strictObject({ ...names, ...newPartner }),
    initial: { name: '', nameEn: '', ...NEW_PARTNER },
    async submit(values) {
      const { affiliationCode } = await call(createAffiliation, values)
      await refreshAffiliations()
      onMade(affiliationCode)
    },
    done: (_, { name }) => t.added(name),
    fieldOf: {
      AFFILIATION_NAME_TAKEN: 'name',
      PARTNER_CODE_TAKEN: 'partnerCode',
      REGION_NOT_FOUND: 'districtName',
    },
    onClose,
  })
  return (
    <FormDialog {...dialog} title={t.add} submitLabel={t.save} isWide>
      <p className={layout.lead}>{t.addLead}</p>
      <FormGrid labels="top">
        <NameFields />
        <PartnerFields />
      </FormGrid>
    </FormDialog>
  )
}

/**
 * Shows a dialog that renames an affiliation in both languages by `renameAffiliation` (rules/affiliations#rename).
 * AFFILIATION_NAME_TAKEN appears at the name.
 */
export function RenameDialog({ affiliation, onClose }: { affiliation: Affiliation; onClose: () => void }) {
  const t = useAffiliationTexts()
  const { affiliationCode, name, nameEn, version } = affiliation
  const dialog = useDialogForm({
    schema: z.strictObject(names),
    initial: { name, nameEn },
    submit: (values) => call(renameAffiliation, { ...values, affiliationCode, version }),
    fieldOf: { AFFILIATION_NAME_TAKEN: 'name' },
    onChanged: refreshAffiliations,
    onClose,
  })
  return (
    <FormDialog {...dialog} title={t.rename} about={affiliationCode} submitLabel={t.save}>
      <FormGrid columns={1} labels="top">
        <NameFields />
      </FormGrid>
    </FormDialog>
  )
}

/** Shows the fields for the Korean and the English name. */
function NameFields() {
  const t = useAffiliationTexts()
  return (
    <>
      <BoundText name="name" label={t.name} autoComplete="off" isRequired />
      <BoundText name="nameEn" label={t.nameEn} autoComplete="off" description={t.nameEnHint} />
    </>
  )
}

/** Schema of the form of `PartnerDialog`. */
const partner = z.strictObject({ affiliationCode: code, ...newPartner })

interface PartnerProps {
  /** Code of the affiliation; '' lets the user choose. */
  affiliation: string
  onMade: (partnerCode: string) => void
  onClose: () => void
}

/**
 * Shows a dialog that creates a partner code for an affiliation by `createAffiliationPartner`
 * (rules/affiliations#default-partner). A form that opens it keeps its input. Calls `onMade` with the new code.
 */
export function PartnerDialog({ affiliation, onMade, onClose }: PartnerProps) {
  const t = useAffiliationTexts()
  const { fields } = usePortalMessages()
  const dialog = useDialogForm({
    schema: partner,
    initial: { affiliationCode: affiliation, ...NEW_PARTNER },
    async submit(values) {
      const made = await call(createAffiliationPartner, values)
      await refreshAffiliations()
      onMade(made.partnerCode)
      return made.partnerCode
    },
    done: t.made,
    fieldOf: {
      AFFILIATION_CLOSED: 'affiliationCode',
      AFFILIATION_NOT_FOUND: 'affiliationCode',
      PARTNER_CODE_TAKEN: 'partnerCode',
      REGION_NOT_FOUND: 'districtName',
    },
    onClose,
  })
  return (
    <FormDialog {...dialog} title={t.makeTitle} about={affiliation} submitLabel={t.save} isWide>
      <p className={layout.lead}>{t.makeLead}</p>
      <FormGrid labels="top">
        <BoundSelect
          name="affiliationCode"
          label={fields.affiliationCode}
          choices={useAffiliations()}
          isDisabled={affiliation !== ''}
          isRequired
        />
        <PartnerFields />
      </FormGrid>
    </FormDialog>
  )
}

/** Schema of the form of `DefaultDialog`. */
const chosen = z.strictObject({ partnerCode })

interface ParentProps {
  affiliation: Affiliation
  /** All affiliations in the order of their tree. */
  affiliations: readonly (Affiliation & { depth: number })[]
  nameOf: (affiliation: Affiliation) => string
  onClose: () => void
}

/**
 * Shows a dialog that sets the affiliation above another one, and whether it is another company, by
 * `changeParentAffiliation` (rules/affiliations#tree). Offers neither itself nor those below it.
 */
export function ParentDialog({ affiliation, affiliations, nameOf, onClose }: ParentProps) {
  const t = useAffiliationTexts()
  const { affiliationCode, parentCode, external, version, depth } = affiliations.find(
    (row) => row.affiliationCode === affiliation.affiliationCode,
  ) ?? {
    ...affiliation,
    depth: 0,
  }
  const place = affiliations.findIndex((row) => row.affiliationCode === affiliationCode)
  const next = affiliations.findIndex((row, index) => index > place && row.depth <= depth)
  const below = affiliations.slice(place, next < 0 ? undefined : next)
  const options = affiliations.filter((row) => !below.includes(row))
  const dialog = useDialogForm({
    schema: z.strictObject({ parentCode: filter(40), external: z.boolean() }),
    initial: { parentCode, external },
    submit: (values) => call(changeParentAffiliation, { ...values, affiliationCode, version }),
    fieldOf: { AFFILIATION_PARENT: 'parentCode', AFFILIATION_NOT_FOUND: 'parentCode' },
    onChanged: refreshAffiliations,
    onClose,
  })
  return (
    <FormDialog {...dialog} title={t.parentTitle} about={affiliationCode} submitLabel={t.save}>
      <p className={layout.lead}>{t.parentLead(nameOf(affiliation))}</p>
      <FormGrid columns={1} labels="top">
        <BoundSelect
          name="parentCode"
          label={t.parentTitle}
          placeholder={t.noParent}
          choices={fixedChoices([
            { value: '', label: t.noParent },
            ...options.map((row) => ({ value: row.affiliationCode, label: nameOf(row), depth: row.depth })),
          ])}
        />
        <BoundCheckbox name="external" label={t.external} />
        <p className={layout.quiet}>{t.externalHint}</p>
      </FormGrid>
    </FormDialog>
  )
}

interface DefaultProps {
  affiliation: Affiliation
  name: string
  onClose: () => void
}

/**
 * Shows a dialog that selects the default partner code of an affiliation, out of its own codes, by
 * `chooseDefaultPartner`. A button creates another code and selects it.
 */
export function DefaultDialog({ affiliation, name, onClose }: DefaultProps) {
  const t = useAffiliationTexts()
  const { affiliationCode, version } = affiliation
  const [isMaking, setMaking] = useState(false)
  const dialog = useDialogForm({
    schema: chosen,
    initial: { partnerCode: affiliation.partnerCode },
    submit: (values) => call(chooseDefaultPartner, { ...values, affiliationCode, version }),
    fieldOf: { PARTNER_NOT_FOUND: 'partnerCode', PARTNER_STOPPED: 'partnerCode' },
    onChanged: refreshAffiliations,
    onClose,
  })
  return (
    <>
      <FormDialog {...dialog} title={t.partnerTitle} about={affiliationCode} submitLabel={t.save}>
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
            else dialog.form.setValue('partnerCode', made, { shouldDirty: true })
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}
