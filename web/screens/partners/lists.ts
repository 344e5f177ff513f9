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
  const list = data?.SIDO_LIST ?? []
  return {
    options: list.map(({ SIDO_NAME }) => ({ value: SIDO_NAME, label: SIDO_NAME })),
    isLoading: isPending,
    isFailed: isError,
    retry: () => void refetch(),
    codeOf: (name) => list.find(({ SIDO_NAME }) => SIDO_NAME === name)?.CTPRVN_CD,
  }
}

/** The districts of a province by its code, with their degrees; none while none is chosen. */
export function useDistricts(
  provinceCode: string | undefined,
): Choices & { degreesOf: (name: string) => { X: number; Y: number } | undefined } {
  const { data, isLoading, isError, refetch } = useQuery({
    ...query(listPartnerDistricts, { SIDO_NUMBER: provinceCode ?? '' }),
    enabled: provinceCode !== undefined,
    staleTime: REGIONS_STAY_MS,
  })
  const list = data?.SIGUNGU_LIST ?? []
  return {
    options: list.map(({ SIGUNGU_NAME }) => ({ value: SIGUNGU_NAME, label: SIGUNGU_NAME })),
    isLoading,
    isFailed: isError,
    retry: () => void refetch(),
    degreesOf(name) {
      const district = list.find(({ SIGUNGU_NAME }) => SIGUNGU_NAME === name)
      return district && { X: district.X, Y: district.Y }
    },
  }
}
