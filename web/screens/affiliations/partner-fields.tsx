import { useFormContext, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { line, partnerCode } from '../../../contract/fields.ts'
import { LIMITS, PARTNER_TYPE, typedLimit } from '../../../contract/partners.ts'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import { fixedChoices, useChoiceTexts } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import { useCleanCode } from '../partners/code-field.tsx'
import { useDistricts, useProvinces } from '../partners/lists.ts'

/** Schemas of the type, province and district of a partner code. All three are required. */
export const typeAndPlace = {
  partnerType: z.pipe(z.string(), z.enum(Object.values(PARTNER_TYPE), 'required')),
  provinceName: line(40),
  districtName: line(40),
}

/** Schemas of a partner code that is created along with another record: without validity dates. */
export const newPartner = {
  partnerCode,
  ...typeAndPlace,
  maxKeysPerDay: typedLimit,
  maxKeysPerWeek: typedLimit,
  maxKeysPerMonth: typedLimit,
  maxKeysTotal: typedLimit,
}

/** Initial values of type and region: the type that most offices have, and no region. */
export const NO_PLACE = { partnerType: PARTNER_TYPE.partner as string, provinceName: '', districtName: '' }

/** Initial values of the fields of `newPartner`: no code, no region and no limits. */
export const NEW_PARTNER = {
  partnerCode: '',
  ...NO_PLACE,
  maxKeysPerDay: '',
  maxKeysPerWeek: '',
  maxKeysPerMonth: '',
  maxKeysTotal: '',
}

/**
 * Shows the fields of `newPartner`: code, type, region and the limits of keys, where an empty limit is none. Must be
 * inside a `Form` and a `FormGrid`.
 */
export function PartnerFields() {
  const { fields, partners: t } = usePortalMessages()
  return (
    <>
      <BoundText
        name="partnerCode"
        label={fields.partnerCode}
        autoComplete="off"
        clean={useCleanCode()}
        description={t.code.hint}
        isRequired
      />
      <TypeAndPlaceFields />
      {LIMITS.map((name) => (
        <BoundText
          key={name}
          name={name}
          label={fields[name]}
          inputMode="numeric"
          autoComplete="off"
          placeholder={t.noLimit}
        />
      ))}
    </>
  )
}

/**
 * Shows the fields for the type, province and district of a partner. Another province clears the district and loads its
 * districts.
 * @param placeHint makes province and district optional, and explains when they are required
 */
export function TypeAndPlaceFields({ placeHint }: { placeHint?: string }) {
  const { fields, partners: t } = usePortalMessages()
  const { setValue } = useFormContext<typeof NO_PLACE>()
  const province = useWatch<typeof NO_PLACE, 'provinceName'>({ name: 'provinceName' })
  const provinces = useProvinces()
  const districts = useDistricts(provinces.codeOf(province))
  const texts = useChoiceTexts(districts)
  const types = Object.values(PARTNER_TYPE).map((type) => ({ value: type, label: t.type[type] }))
  const chooseFirst = province === '' ? t.form.chooseProvinceFirst : undefined
  return (
    <>
      <BoundSelect name="partnerType" label={fields.partnerType} choices={fixedChoices(types)} isRequired />
      <BoundSelect
        name="provinceName"
        label={fields.provinceName}
        choices={provinces}
        onChanged={() => setValue('districtName', '', { shouldDirty: true })}
        description={placeHint}
        isRequired={placeHint === undefined}
      />
      <BoundSelect
        name="districtName"
        label={fields.districtName}
        choices={districts}
        emptyLabel={chooseFirst ?? texts.emptyLabel}
        description={chooseFirst}
        isRequired={placeHint === undefined}
      />
    </>
  )
}
