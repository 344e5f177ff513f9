import { useQuery } from '@tanstack/react-query'
import { listPartnerDistricts, listPartnerProvinces } from '../../../contract/partners.ts'
import { query } from '../../api/query.ts'
import type { Choices } from '../../forms/choices.ts'

// Regions change with a release, not while somebody works.
const REGIONS_STAY_MS = 10 * 60_000

/** The provinces in force, by their names. */
export function useProvinces(): Choices & { codeOf: (name: string) => string | undefined } {
  const { data, isPending, isError, refetch } = useQuery({
    ...query(listPartnerProvinces, {}),
    staleTime: REGIONS_STAY_MS,
  })
  const list = data?.provinces ?? []
  return {
    options: list.map(({ provinceName }) => ({ value: provinceName, label: provinceName })),
    isLoading: isPending,
    isFailed: isError,
    retry: () => void refetch(),
    codeOf: (name) => list.find(({ provinceName }) => provinceName === name)?.provinceCode,
  }
}

/** The districts of a province by its code, with their degrees; none while none is chosen. */
export function useDistricts(
  provinceCode: string | undefined,
): Choices & { degreesOf: (name: string) => { longitude: number; latitude: number } | undefined } {
  const { data, isLoading, isError, refetch } = useQuery({
    ...query(listPartnerDistricts, { provinceCode: provinceCode ?? '' }),
    enabled: provinceCode !== undefined,
    staleTime: REGIONS_STAY_MS,
  })
  const list = data?.districts ?? []
  return {
    options: list.map(({ districtName }) => ({ value: districtName, label: districtName })),
    isLoading,
    isFailed: isError,
    retry: () => void refetch(),
    degreesOf(name) {
      const district = list.find(({ districtName }) => districtName === name)
      return district && { longitude: district.longitude, latitude: district.latitude }
    },
  }
}
