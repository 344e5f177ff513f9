import { useQuery } from '@tanstack/react-query'
import { listPartnersOfAffiliation, listRoles } from '../../../contract/users.ts'
import { query } from '../../api/query.ts'
import { fromCodes, type Choices } from '../../forms/choices.ts'

/** The roles that the person may grant. */
export function useRoles(): Choices {
  const { data, isPending, isError, refetch } = useQuery(query(listRoles, {}))
  return {
    options: fromCodes(data ?? []),
    isLoading: isPending,
    isFailed: isError,
    retry: () => void refetch(),
  }
}

/** The partner codes of an affiliation; none while none is chosen. */
export function usePartnersOf(affiliation: string): Choices {
  const { data, isLoading, isError, refetch } = useQuery({
    ...query(listPartnersOfAffiliation, { affiliationCode: affiliation }),
    enabled: affiliation !== '',
  })
  const options = (data ?? []).map(({ partnerCode }) => ({ value: partnerCode, label: partnerCode }))
  return { options, isLoading, isFailed: isError, retry: () => void refetch() }
}
