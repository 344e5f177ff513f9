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

/** Schemas of the type and region of partner codes, as the form holds them. */
export const typeAndPlace = {
  partnerType: z.pipe(z.string(), z.enum(Object.values(PARTNER_TYPE), 'required')),
  provinceName: line(40),
  districtName: line(40),
}

/** The schema of a partner code that is created along with another record: without dates. */
export const newPartner = {
  partnerCode,
  ...typeAndPlace,
  maxKeysPerDay: typedLimit,
  maxKeysPerWeek: typedLimit,
  maxKeysPerMonth: typedLimit,
  maxKeysTotal: typedLimit,
}

/** Initial values. Most offices are partners. */
export const NO_PLACE = { partnerType: PARTNER_TYPE.partner as string, provinceName: '', districtName: '' }

/** Initial values: no limits. */
export const NEW_PARTNER = {
  partnerCode: '',
  ...NO_PLACE,
  maxKeysPerDay: '',
  maxKeysPerWeek: '',
  maxKeysPerMonth: '',
  maxKeysTotal: '',
}

/** The fields of `newPartner`; inside a `Form` and a `FormGrid`. */
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
 * The fields of `typeAndPlace`; another province clears the district and brings its own.
 * @param placeHint when the place is needed, where it is not always
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
