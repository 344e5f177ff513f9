import { useWatch } from 'react-hook-form'
import { BoundSelect } from '../../forms/bound-fields.tsx'
import { useChoiceTexts } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'
import type { PartnerFormState, PartnerRecord, PartnerValues } from './form-values.ts'
import { useDistricts, useProvinces } from './lists.ts'

/** The region of a partner form: the options of province and district, and the coordinates that are saved with it. */
export interface Region {
  provinces: ReturnType<typeof useProvinces>
  districts: ReturnType<typeof useDistricts>
  /** Clears the district. Call it when the province changes. */
  clearDistrict: () => void
  /** True if the province of the record no longer exists and is still selected (rules/partners#stored-region). */
  isOld: boolean
  /**
   * Returns the coordinates in degrees, which the calls require: those of the record for an unchanged region, else those
   * of the district; 0 for an unknown one. The server ignores them: it keeps an unchanged region, and looks up any other.
   */
  degrees: () => { longitude: number; latitude: number }
}

/**
 * Returns the region of a partner form. Its coordinates are those of `record` as long as province and district are
 * unchanged, else those of the chosen district.
 * @param record the stored partner that is edited; undefined for a new one
 */
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

/**
 * Shows the bound fields for province and district. Another province clears the district and loads its own
 * (rules/partners#register-partner).
 */
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
