import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ALL, type CODE_GROUP, listCodes } from '../../contract/common.ts'
import { query } from '../api/query.ts'
import { usePortalMessages } from '../language.tsx'
import type { SelectOption } from '../ui/select-field.tsx'

/** What a select needs to know of its list. */
export interface Choices {
  options: readonly SelectOption[]
  isLoading: boolean
  isFailed: boolean
  /** Asks for the list again. */
  retry: () => void
}

/** A select's choices that a call answers with. */
export function choicesOf(
  { isLoading, isError, refetch }: Pick<UseQueryResult, 'isLoading' | 'isError' | 'refetch'>,
  options: readonly SelectOption[],
): Choices {
  return { options, isLoading, isFailed: isError, retry: () => void refetch() }
}

/** Choices that do not come from a call. */
export function fixedChoices(options: readonly SelectOption[]): Choices {
  return { options, isLoading: false, isFailed: false, retry: () => {} }
}

/** The choices with 'all' first, also while or where the list cannot be loaded. */
export function withAll(choices: Choices, label: string): Choices {
  const others = choices.options.filter(({ value }) => value !== ALL)
  return { ...choices, options: [{ value: ALL, label }, ...others] }
}

/** Texts that stand for themselves. */
export const fromNames = (names: readonly string[]): SelectOption[] =>
  names.map((name) => ({ value: name, label: name }))

/** Regions by their names, which stand on the wire, as the language writes them. */
export function useRegionOptions(): (names: readonly string[]) => SelectOption[] {
  const { regionName } = usePortalMessages()
  return (names) => names.map((name) => ({ value: name, label: regionName(name) }))
}

// An administrator may change them at any time.
const CODES_STAY_MS = 20_000

/** A code list (rules/wire#code-lists); `includeAll` puts the server's 'all' entry first. */
export function useCodes(group: typeof CODE_GROUP.affiliation, includeAll = false, enabled = true): Choices {
  const codes = useQuery({
    ...query(listCodes, { codeGroup: group, includeAll }),
    staleTime: CODES_STAY_MS,
    enabled,
  })
  return choicesOf(codes, fromCodes(codes.data ?? []))
}

/** The words of a select for its list's states. */
export function useChoiceTexts({ isFailed }: Choices) {
  const t = usePortalMessages().forms
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
