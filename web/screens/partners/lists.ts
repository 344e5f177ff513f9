import { useQuery } from '@tanstack/react-query'
import { listPartnerDistricts, listPartnerProvinces } from '../../../contract/partners.ts'
import { query } from '../../api/query.ts'
import { choicesOf, useRegionOptions, type Choices } from '../../forms/choices.ts'

/** Milliseconds for which the regions are not read again. They change only with a release. */
const REGIONS_STAY_MS = 10 * 60_000

/**
 * Returns the provinces as choices, and a function that returns the code of a province name; undefined for an unknown
 * one, and for all until they are loaded.
 */
export function useProvinces(): Choices & { codeOf: (name: string) => string | undefined } {
  const options = useRegionOptions()
  const provinces = useQuery({ ...query(listPartnerProvinces, {}), staleTime: REGIONS_STAY_MS })
  const list = provinces.data?.provinces ?? []
  return {
    ...choicesOf(provinces, options(list.map(({ provinceName }) => provinceName))),
    codeOf: (name) => list.find(({ provinceName }) => provinceName === name)?.provinceCode,
  }
}

/**
 * Returns the districts of a province as choices, and a function that returns the coordinates of a district name in
 * degrees; undefined for an unknown one. There are none without a province.
 */
export function useDistricts(
  provinceCode: string | undefined,
): Choices & { degreesOf: (name: string) => { longitude: number; latitude: number } | undefined } {
  const options = useRegionOptions()
  const districts = useQuery({
    ...query(listPartnerDistricts, { provinceCode: provinceCode ?? '' }),
    enabled: provinceCode !== undefined,
    staleTime: REGIONS_STAY_MS,
  })
  const list = districts.data?.districts ?? []
  return {
    ...choicesOf(districts, options(list.map(({ districtName }) => districtName))),
    degreesOf(name) {
      const district = list.find(({ districtName }) => districtName === name)
      return district && { longitude: district.longitude, latitude: district.latitude }
    },
  }
}
