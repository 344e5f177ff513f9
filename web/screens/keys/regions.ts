import { useQuery } from '@tanstack/react-query'
import { ALL, CODE_GROUP } from '../../../contract/common.ts'
import { listKeyDistricts, listKeyProvinces } from '../../../contract/keys.ts'
import { query } from '../../api/query.ts'
import { type Choices, choicesOf, useCodes, useRegionOptions, withAll } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'

/** The lists of the key filters, each with 'integrated search' first (rules/keys#key-filters). */
export function useKeyChoices(province: string): Record<'provinces' | 'districts' | 'affiliations', Choices> {
  const { all } = usePortalMessages().keys
  const options = useRegionOptions()
  const provinces = useQuery(query(listKeyProvinces, {}))
  const districts = useQuery({
    ...query(listKeyDistricts, { provinceName: province }),
    enabled: province !== ALL,
  })
  const provinceNames = provinces.data?.provinces.map(({ provinceName }) => provinceName) ?? []
  const districtNames = districts.data?.districts.map(({ districtName }) => districtName) ?? []
  return {
    provinces: withAll(choicesOf(provinces, options(provinceNames)), all),
    districts: withAll(choicesOf(districts, options(districtNames)), all),
    affiliations: withAll(useCodes(CODE_GROUP.affiliation), all),
  }
}
