import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ALL, type CODE_GROUP, listCodes } from '../../contract/common.ts'
import { query } from '../api/query.ts'
import { usePortalMessages } from '../language.tsx'
import type { SelectOption } from '../ui/select-field.tsx'

/** Options of a select and the state of their list. */
export interface Choices {
  options: readonly SelectOption[]
  isLoading: boolean
  isFailed: boolean
  /** Loads the list again. */
  retry: () => void
}

/** Converts a query to the choices of a select. */
export function choicesOf(
  { isLoading, isError, refetch }: Pick<UseQueryResult, 'isLoading' | 'isError' | 'refetch'>,
  options: readonly SelectOption[],
): Choices {
  return { options, isLoading, isFailed: isError, retry: () => void refetch() }
}

/** Converts constant options to the choices of a select. */
export function fixedChoices(options: readonly SelectOption[]): Choices {
  return { options, isLoading: false, isFailed: false, retry: () => {} }
}

/** Returns the choices with 'all' as the first option, even if the list is not loaded. */
export function withAll(choices: Choices, label: string): Choices {
  const others = choices.options.filter(({ value }) => value !== ALL)
  return { ...choices, options: [{ value: ALL, label }, ...others] }
}

/** Converts names to options whose values are the names. */
export const fromNames = (names: readonly string[]): SelectOption[] =>
  names.map((name) => ({ value: name, label: name }))

/** Returns a function that converts the Korean names of regions to options in the user's language. */
export function useRegionOptions(): (names: readonly string[]) => SelectOption[] {
  const { regionName } = usePortalMessages()
  return (names) => names.map((name) => ({ value: name, label: regionName(name) }))
}

// Short, because an administrator may change the codes at any time.
const CODES_STAY_MS = 20_000

/** Loads a code list (rules/wire#code-lists). With `includeAll` the server adds 'all' as the first entry. */
export function useCodes(group: typeof CODE_GROUP.affiliation, includeAll = false, enabled = true): Choices {
  const codes = useQuery({
    ...query(listCodes, { codeGroup: group, includeAll }),
    staleTime: CODES_STAY_MS,
    enabled,
  })
  return choicesOf(codes, fromCodes(codes.data ?? []))
}

/** Returns the texts of a select for the states of its list. */
export function useChoiceTexts({ isFailed }: Choices) {
  const t = usePortalMessages().forms
  return {
    placeholder: t.choose,
    loadingLabel: t.loading,
    emptyLabel: isFailed ? t.listFailed : t.nothingToChoose,
  }
}

/** Converts codes of the server to options. */
export function fromCodes(codes: readonly { code: string; codeName: string }[]): SelectOption[] {
  return codes.map(({ code, codeName }) => ({ value: code, label: codeName }))
}
