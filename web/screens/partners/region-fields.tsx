import { useWatch } from 'react-hook-form'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { useChoiceTexts } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import type { PartnerFormState, PartnerRecord, PartnerValues } from './form-values.ts'
import { useDistricts, useProvinces } from './lists.ts'

/** The region of a partner's form: its lists, and the degrees of what is chosen. */
export interface Region {
  provinces: ReturnType<typeof useProvinces>
  districts: ReturnType<typeof useDistricts>
  /** A province was chosen: its districts come, and none is chosen yet. */
  clearDistrict: () => void
  /** The record's region no longer exists, and is still chosen (rules/partners#region-on-record). */
  isOld: boolean
  /** The degrees of the chosen district, or those that the record was written with. */
  degrees: () => { longitude: number; latitude: number }
}

/** @param record the partner that is edited; undefined for a new one */
export function useRegion(form: PartnerFormState, record?: PartnerRecord): Region {
  const province = useWatch({ control: form.control, name: 'provinceName' })
  const provinces = useProvinces()
  const districts = useDistricts(provinces.codeOf(province))
  return {
    provinces,
    districts,
    clearDistrict: () => form.setValue('districtName', '', { shouldDirty: true }),
    isOld:
      province !== '' &&
      province === record?.provinceName &&
      !provinces.isLoading &&
      !provinces.isFailed &&
      provinces.codeOf(province) === undefined,
    degrees() {
      const { provinceName, districtName } = form.getValues()
      if (
        record !== undefined &&
        provinceName === record.provinceName &&
        districtName === record.districtName
      ) {
        return { longitude: record.longitude, latitude: record.latitude }
      }
      // The server looks them up again, whatever is sent.
      return districts.degreesOf(districtName) ?? { longitude: 0, latitude: 0 }
    },
  }
}

/** Province and district; another province clears the district and brings its own (rules/partners#register-partner). */
export function RegionFields({ region }: { region: Region }) {
  const { fields, partners, regionName } = usePortalMessages()
  const t = partners.form
  const { provinces, districts } = region
  const [province, district] = useWatch<PartnerValues, ['provinceName', 'districtName']>({
    name: ['provinceName', 'districtName'],
  })
  const districtTexts = useChoiceTexts(districts)
  const chooseFirst = province === '' ? t.chooseProvinceFirst : undefined
  return (
    <>
      <BoundSelect<PartnerValues>
        name="provinceName"
        label={fields.provinceName}
        choices={provinces}
        fallbackLabel={regionName(province)}
        onChanged={region.clearDistrict}
        description={region.isOld ? t.oldRegion : undefined}
        isRequired
      />
      <BoundSelect<PartnerValues>
        name="districtName"
        label={fields.districtName}
        choices={districts}
        emptyLabel={chooseFirst ?? districtTexts.emptyLabel}
        fallbackLabel={regionName(district)}
        description={chooseFirst}
        isRequired
      />
    </>
  )
}
