import type { Team } from '../../../forms/teams.ts'
import type { SelectOption } from '../../../ui/select-field.tsx'

/** Entry of the tree of /organization: an affiliation or a team. `id` is 'affiliation CODE' or 'team ID'. */
export interface TreeNode {
  id: string
  label: string
  /** Number of main members of a team and of those below it. */
  count?: number
  below: TreeNode[]
}

/**
 * Returns the tree of affiliations, each with its teams before the affiliations below it.
 * @param affiliations in the order of their tree, with their depth
 * @param teams each after the team above it
 */
export function nodesOf(affiliations: readonly SelectOption[], teams: readonly Team[]): TreeNode[] {
  const below = Map.groupBy(teams, ({ affiliationCode, parentId }) => parentId || `at ${affiliationCode}`)
  const teamNodes = (parent: string): TreeNode[] =>
    (below.get(parent) ?? []).map(({ teamId, label, userCount }) => {
      const teamsBelow = teamNodes(teamId)
      const count = teamsBelow.reduce((sum, node) => sum + (node.count ?? 0), userCount)
      return { id: `team ${teamId}`, label, count, below: teamsBelow }
    })
  const top: TreeNode[] = []
  // The last affiliation of each depth: the next deeper one is below it.
  const last: TreeNode[] = []
  for (const { value, label, depth = 0 } of affiliations) {
    const node: TreeNode = { id: `affiliation ${value}`, label, below: teamNodes(`at ${value}`) }
    const parent = depth === 0 ? undefined : last[depth - 1]
    ;(parent?.below ?? top).push(node)
    last[depth] = node
  }
  return top
}
