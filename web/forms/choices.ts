import { useQuery } from '@tanstack/react-query'
import { type CODE_GROUP, listCodes } from '../../contract/common.ts'
import { query } from '../api/query.ts'
import { useMessages } from '../language.tsx'
import type { SelectOption } from '../ui/select-field.tsx'

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

/** A code list (rules/wire#code-lists); `withAll` puts the server's 'all' entry first. */
export function useCodes(group: CodeGroup, withAll = false): Choices {
  const { data, isPending, isError, refetch } = useQuery({
    ...query(listCodes, { codeGroup: group, includeAll: withAll }),
    staleTime: CODES_STAY_MS,
  })
  return {
    options: fromCodes(data ?? []),
    isLoading: isPending,
    isFailed: isError,
    retry: () => void refetch(),
  }
}

/** The words of a select for its list's states. */
export function useChoiceWords({ isFailed }: Choices) {
  const t = useMessages().forms
  return {
    placeholder: t.choose,
    loadingLabel: t.loading,
    emptyLabel: isFailed ? t.listFailed : t.nothingToChoose,
  }
}

/** The server's codes as a select shows them. */
export function fromCodes(codes: readonly { code: string; codeName: string }[]): SelectOption[] {
  return codes.map(({ code, codeName }) => ({ value: code, label: codeName }))
}
