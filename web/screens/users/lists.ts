import { useQuery } from '@tanstack/react-query'
import { CODE_GROUP, listCodes } from '../../../contract/common.ts'
import { listPartnersOfAffiliation, listRoles } from '../../../contract/users.ts'
import { query } from '../../api/query.ts'
import { useMessages } from '../../language.tsx'
import type { SelectOption } from '../../ui/SelectField.tsx'

/** What a select needs to know of its list. */
export interface Choices {
  options: readonly SelectOption[]
  isLoading: boolean
  isFailed: boolean
  /** Asks for the list again. */
  retry: () => void
}

// Codes change with a release, not while somebody works.
const CODES_STAY_MS = 10 * 60_000

type CodeGroup = (typeof CODE_GROUP)[keyof typeof CODE_GROUP]

/** A code list (spec §3); `withAll` puts the server's 'all' entry first. */
export function useCodes(group: CodeGroup, withAll = false): Choices {
  const { data, isPending, isError, refetch } = useQuery({
    ...query(listCodes, { HIGH_CODE: group, IS_ALL: withAll }),
    staleTime: CODES_STAY_MS,
  })
  return {
    options: fromCodes(data ?? []),
    isLoading: isPending,
    isFailed: isError,
    retry: () => void refetch(),
  }
}

/** The roles that the person may grant. */
export function useRoles(): Choices {
  const { data, isPending, isError, refetch } = useQuery({
    ...query(listRoles, {}),
    staleTime: CODES_STAY_MS,
  })
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
    ...query(listPartnersOfAffiliation, { BELONGTO_CODE: affiliation }),
    enabled: affiliation !== '',
  })
  const options = (data ?? []).map(({ PARTNER_CODE }) => ({ value: PARTNER_CODE, label: PARTNER_CODE }))
  return { options, isLoading, isFailed: isError, retry: () => void refetch() }
}

/** The words of a select for its list's states. */
export function useChoiceWords({ isFailed }: Choices) {
  const t = useMessages().users.form
  return {
    placeholder: t.choose,
    loadingLabel: t.loading,
    emptyLabel: isFailed ? t.listFailed : t.nothingToChoose,
  }
}

function fromCodes(codes: readonly { CODE: string; CODE_NAME: string }[]): SelectOption[] {
  return codes.map(({ CODE, CODE_NAME }) => ({ value: CODE, label: CODE_NAME }))
}
