import { useQuery } from '@tanstack/react-query'
import { toTree } from '../../contract/common.ts'
import { listTeams, NO_TEAM, TEAM_SEPARATOR } from '../../contract/teams.ts'
import { teams as en } from '../../contract/messages/en/teams.ts'
import { teams as ko } from '../../contract/messages/ko/teams.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import { query } from '../api/query.ts'
import { createTexts, useLanguage } from '../language.tsx'
import type { SelectOption } from '../ui/select-field.tsx'
import { type Choices, choicesOf, useAffiliations } from './choices.ts'

/** Returns the texts of teams, which load with the screens that show teams. */
export const useTeamTexts = createTexts({ ko, en })

/** A team with its name and path in the user's language. */
export type Team = OutputOf<typeof listTeams>['teams'][number] & {
  label: string
  path: string
}

/** Milliseconds for which loaded teams count as current: short, because a manager may change them at any time. */
const TEAMS_STAY_MS = 20_000

/**
 * Returns the query for the teams of all affiliations. Its `teams` come in the order of their tree, each after the
 * one above it (rules/teams#tree), with name and path in the user's language; none until they are loaded.
 */
export function useTeams(isEnabled = true) {
  const { language } = useLanguage()
  const found = useQuery({ ...query(listTeams, {}), staleTime: TEAMS_STAY_MS, enabled: isEnabled })
  const rows = (found.data?.teams ?? []).map((team) => ({
    ...team,
    parentCode: team.parentId || null,
    label: language === 'en' && team.nameEn !== '' ? team.nameEn : team.name,
  }))
  const paths = new Map<string, string>()
  const teams = toTree(rows, ({ teamId }) => teamId).map((team): Team => {
    const above = paths.get(team.parentId)
    const path = above === undefined ? team.label : above + TEAM_SEPARATOR + team.label
    paths.set(team.teamId, path)
    return { ...team, path }
  })
  return { ...found, teams }
}

/** Returns the teams of an affiliation as choices, named by their paths; none for the affiliation ''. */
export function useTeamChoices(affiliationCode: string): Choices {
  const found = useTeams(affiliationCode !== '')
  return choicesOf(
    found,
    found.teams
      .filter((team) => team.affiliationCode === affiliationCode)
      .map(({ teamId, path }) => ({ value: teamId, label: path })),
  )
}

/** Teams to offer. */
interface AllTeams {
  /** True to include NO_TEAM and the teams of closed affiliations and of other branches, for a filter. */
  includeAll: boolean
  isEnabled?: boolean
}

/**
 * Returns the teams of all affiliations as choices, each with the name of its affiliation and its path.
 * @returns also `kept`: all teams as options, also those that are not offered, to name saved values
 */
export function useAllTeamChoices({
  includeAll,
  isEnabled = true,
}: AllTeams): Choices & { kept: readonly SelectOption[] } {
  const t = useTeamTexts()
  const found = useTeams(isEnabled)
  const affiliations = useAffiliations({ includeAll, isWhole: includeAll, isEnabled })
  const nameOf = (code: string) => affiliations.options.find(({ value }) => value === code)?.label
  const kept = found.teams.map(({ teamId, affiliationCode, path }) => ({
    value: teamId,
    label: [nameOf(affiliationCode) ?? [], path].flat().join(TEAM_SEPARATOR),
    isOffered: nameOf(affiliationCode) !== undefined,
  }))
  const choices = choicesOf(found, [
    ...(includeAll ? [{ value: NO_TEAM, label: t.noTeam }] : []),
    ...kept.filter(({ isOffered }) => isOffered),
  ])
  return { ...choices, kept }
}
