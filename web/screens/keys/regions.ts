import { useQuery } from '@tanstack/react-query'
import { ALL, CODE_GROUP } from '../../../contract/common.ts'
import { listKeyDistricts, listKeyProvinces } from '../../../contract/keys.ts'
import { query } from '../../api/query.ts'
import { type Choices, useCodes } from '../../forms/choices.ts'
import { usePortalMessages } from '../../language.tsx'

/**
 * The choices with 'integrated search' first, also while or where the list cannot be loaded (rules/keys#key-filters).
 */
function useWithAll(choices: Choices): Choices {
  const { all } = usePortalMessages().keys
  return {
    ...choices,
    options: [{ value: ALL, label: all }, ...choices.options.filter(({ value }) => value !== ALL)],
  }
}

/** The provinces of the history. */
export function useProvinces(): Choices {
  const { data, isPending, isError, refetch } = useQuery(query(listKeyProvinces, {}))
  const options = (data?.provinces ?? []).map(({ provinceName }) => ({
    value: provinceName,
    label: provinceName,
  }))
  return useWithAll({ options, isLoading: isPending, isFailed: isError, retry: () => void refetch() })
}

/** The districts of a province; none while none is chosen. */
export function useDistricts(province: string): Choices {
  const { data, isLoading, isError, refetch } = useQuery({
    ...query(listKeyDistricts, { provinceName: province }),
    enabled: province !== ALL,
  })
  const options = (data?.districts ?? []).map(({ districtName: name }) => ({ value: name, label: name }))
  return useWithAll({ options, isLoading, isFailed: isError, retry: () => void refetch() })
}

/** The affiliations. */
export function useAffiliations(): Choices {
  return useWithAll(useCodes(CODE_GROUP.affiliation))
}
