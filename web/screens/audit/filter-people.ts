import { ALL } from '../../../contract/common.ts'
import type { Decision } from '../../../contract/audit.ts'

/** The filter of the users in an access review. */
export interface PeopleFilter {
  /** Any part of a name or ID. */
  text: string
  /** The name of a role, or ALL. */
  roleName: string
  /** True to show only users without a decision. */
  openOnly: boolean
}

/** Filter that matches every user. */
export const ALL_PEOPLE: PeopleFilter = { text: '', roleName: ALL, openOnly: false }

/** The parts of a user that the filter compares; the decision is '' while it is missing. */
interface Person {
  name: string
  userId: string
  roleName: string
  decision: '' | Decision
}

/**
 * Returns the users that match all filters, ignoring case; an empty text matches every user. Users without a decision
 * come first; otherwise the order stays (rules/audit#review).
 */
export function filterPeople<P extends Person>(
  people: readonly P[],
  { text, roleName, openOnly }: PeopleFilter,
): P[] {
  const part = text.trim().toLowerCase()
  const found = people.filter(
    (person) =>
      [person.name, person.userId].some((words) => words.toLowerCase().includes(part)) &&
      (roleName === ALL || person.roleName === roleName),
  )
  const isOpen = ({ decision }: P) => decision === ''
  return [...found.filter(isOpen), ...(openOnly ? [] : found.filter((person) => !isOpen(person)))]
}
