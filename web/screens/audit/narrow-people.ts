import { ALL } from '../../../contract/common.ts'
import type { Decision } from '../../../contract/audit.ts'

/** The filter of the users in a review. */
export interface Narrowing {
  /** Any part of a name or ID. */
  text: string
  /** The name of a role, or ALL. */
  roleName: string
  /** True to show only users without a decision. */
  openOnly: boolean
}

/** All of them. */
export const EVERYBODY: Narrowing = { text: '', roleName: ALL, openOnly: false }

interface Person {
  name: string
  userId: string
  roleName: string
  decision: '' | Decision
}

/** Returns the matching users. Users without a decision come first; otherwise the order stays (rules/audit#review). */
export function narrowed<P extends Person>(
  people: readonly P[],
  { text, roleName, openOnly }: Narrowing,
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
