import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { type Team, useTeamTexts } from '../../../forms/teams.ts'
import { classes } from '../../../ui/classes.ts'
import { ChevronDownIcon } from '../../../ui/icons.tsx'
import type { SelectOption } from '../../../ui/select-field.tsx'
import styles from './organization.module.css'
import { nodesOf, type TreeNode } from './organization-nodes.ts'

/** Entry that is selected in the tree: an affiliation, a team, or neither for the whole company. */
export interface Place {
  affiliationCode?: string
  teamId?: string
}

interface Props {
  /** In the order of their tree, with their depth. */
  affiliations: readonly SelectOption[]
  teams: readonly Team[]
  chosen: Place
  onChoose: (place: Place) => void
}

/**
 * Shows affiliations and teams below the whole company as a tree, in which one entry is selected
 * (rules/teams#organization-page). An unknown selection selects the whole company. `onChoose` receives an empty place
 * for the whole company.
 */
export function OrganizationTree({ affiliations, teams, chosen, onChoose }: Props) {
  const t = useTeamTexts()
  const company: TreeNode = { id: 'all', label: t.wholeCompany, below: nodesOf(affiliations, teams) }
  const key =
    chosen.teamId !== undefined
      ? `team ${chosen.teamId}`
      : affiliations.some(({ value }) => value === chosen.affiliationCode)
        ? `affiliation ${chosen.affiliationCode}`
        : company.id
  return (
    <Tree
      aria-label={t.tree}
      className={classes(styles.tree)}
      items={[company]}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[key]}
      defaultExpandedKeys={expandedAtFirst(company)}
      onSelectionChange={(keys) => {
        for (const one of keys) {
          const [kind, id = ''] = String(one).split(' ')
          onChoose(kind === 'team' ? { teamId: id } : kind === 'affiliation' ? { affiliationCode: id } : {})
        }
      }}
    >
      {renderBranch}
    </Tree>
  )
}

/** The most entries of a tree that is completely expanded at first. */
const EXPANDED = 60

/** Returns the keys of the entries that are expanded at first: all of a small company, else only the whole company. */
function expandedAtFirst(company: TreeNode): string[] {
  const all = (node: TreeNode): string[] => [node.id, ...node.below.flatMap(all)]
  const keys = all(company)
  return keys.length > EXPANDED ? [company.id] : keys
}

/** Renders an entry of the tree with its number of members, and the entries below it. */
function renderBranch(node: TreeNode) {
  return (
    <TreeItem id={node.id} textValue={node.label} className={classes(styles.item)}>
      <TreeItemContent>
        {({ hasChildItems }) => (
          <div className={classes(styles.entry)}>
            {hasChildItems ? <Toggle name={node.label} /> : <span className={styles.toggle} />}
            <span className={styles.label} title={node.label}>
              {node.label}
            </span>
            {node.count !== undefined && <span className={styles.count}>{node.count.toLocaleString()}</span>}
          </div>
        )}
      </TreeItemContent>
      <Collection items={node.below}>{renderBranch}</Collection>
    </TreeItem>
  )
}

/** Shows the button that expands or collapses an entry. */
function Toggle({ name }: { name: string }) {
  const t = useTeamTexts()
  return (
    <Button slot="chevron" className={classes(styles.toggle)} aria-label={t.toggle(name)}>
      <ChevronDownIcon size={14} />
    </Button>
  )
}
