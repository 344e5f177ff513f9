import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ALL, CODE_GROUP, getAuthority, listCodes } from '../../contract/common.ts'
import { query, queryClient } from '../api/query.ts'
import { usePortalMessages } from '../language.tsx'
import type { SelectOption } from '../ui/select-field.tsx'

/** Options of a select and the state of their list. */
export interface Choices {
  options: readonly SelectOption[]
  isLoading: boolean
  isFailed: boolean
  /** False to leave it to the user to choose a sole option; true by default. */
  isSoleChosen?: boolean
  /** Loads the list again, after a failure. */
  retry: () => void
}

/** Converts the state of a query, and the options made from its result, to the choices of a select. */
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

/**
 * Returns the choices with 'all' as the first option. Replaces an 'all' of the server, and works while the
 * list is loading.
 */
export function withAll(choices: Choices, label: string): Choices {
  const others = choices.options.filter(({ value }) => value !== ALL)
  return { ...choices, options: [{ value: ALL, label }, ...others] }
}

/** Returns an option for each name, whose value is the name too. */
export const fromNames = (names: readonly string[]): SelectOption[] =>
  names.map((name) => ({ value: name, label: name }))

/** Returns a function that converts the Korean names of regions to options in the user's language. */
export function useRegionOptions(): (names: readonly string[]) => SelectOption[] {
  const { regionName } = usePortalMessages()
  return (names) => names.map((name) => ({ value: name, label: regionName(name) }))
}

/** Milliseconds for which loaded codes count as current: short, because an administrator may change them at any time. */
const CODES_STAY_MS = 20_000

/** Options of `useAffiliations`. */
interface AffiliationOptions {
  /** True to include 'all' as the first entry, and closed affiliations. */
  includeAll?: boolean
  /** True to include the affiliations of the whole company, also for a user with a branch role. */
  isWhole?: boolean
  /** False to request nothing yet; true by default. */
  isEnabled?: boolean
}

/** Query of the affiliations as a tree; with `includeAll` also 'all' and the closed ones. */
const affiliationsQuery = (includeAll: boolean) => ({
  ...query(listCodes, { codeGroup: CODE_GROUP.affiliation, includeAll, asTree: true }),
  staleTime: CODES_STAY_MS,
})

/**
 * Loads the affiliations as choices (rules/wire#code-lists), each after the one above it and indented. A user with
 * a branch role gets only those of the branch (rules/roles#branch-roles), unless `isWhole`. Without `isEnabled` it
 * requests nothing.
 */
export function useAffiliations({
  includeAll = false,
  isWhole = false,
  isEnabled = true,
}: AffiliationOptions = {}): Choices {
  const codes = useQuery({ ...affiliationsQuery(includeAll), enabled: isEnabled })
  // The header makes this call.
  const authority = useQuery({ ...query(getAuthority, {}), enabled: false })
  const within = isWhole ? undefined : authority.data?.within
  const chosen = (codes.data ?? []).filter(({ code }) => code === ALL || (within?.includes(code) ?? true))
  return choicesOf(codes, fromCodes(chosen))
}

/**
 * Returns the names of the open affiliations in the user's language, in lower case. Reads them unless they were read in
 * the last 20 seconds.
 * @throws {CallError} if they cannot be read
 */
export async function fetchAffiliationNames(): Promise<ReadonlySet<string>> {
  const codes = await queryClient.fetchQuery(affiliationsQuery(false))
  return new Set(codes.map(({ codeName }) => codeName.toLowerCase()))
}

/** Returns the texts of a select. An empty list says that its choices could not be loaded, or that there are none. */
export function useChoiceTexts({ isFailed }: Choices) {
  const t = usePortalMessages().forms
  return {
    placeholder: t.choose,
    searchLabel: t.searchChoices,
    loadingLabel: t.loading,
    emptyLabel: isFailed ? t.listFailed : t.nothingToChoose,
  }
}

/** Converts codes of the server to options. `depth` becomes the indentation of the option. */
export function fromCodes(
  codes: readonly { code: string; codeName: string; depth?: number | undefined }[],
): SelectOption[] {
  return codes.map(({ code, codeName, depth }) => ({ value: code, label: codeName, depth }))
}
