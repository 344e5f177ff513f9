import { useQuery } from '@tanstack/react-query'
import { listPartnersOfAffiliation } from '../../../../contract/partners.ts'
import { listRoles } from '../../../../contract/roles.ts'
import { APPROVAL } from '../../../../contract/users.ts'
import { query } from '../../../api/query.ts'
import { choicesOf, fixedChoices, fromCodes, withAll, type Choices } from '../../../forms/choices.ts'
import { usePortalMessages } from '../../../language.tsx'

/**
 * Returns the approval statuses as options of a filter, with 'all' first. Requests nothing, because they only change
 * with a release.
 */
export function useApprovals(): Choices {
  const { users, lists } = usePortalMessages()
  const { approved, notApproved } = users.form
  const statuses = [
    { value: APPROVAL.approved, label: approved },
    { value: APPROVAL.notApproved, label: notApproved },
  ]
  return withAll(fixedChoices(statuses), lists.all)
}

/**
 * Returns the roles that the caller may grant as options (rules/roles#giving).
 * @param present code of a user's current role, which stays selectable even if the caller may not grant it
 */
export function useRoles(present?: string): Choices {
  const roles = useRolesInReach()
  const given = roles.data?.filter(({ code, grantable }) => grantable === true || code === present)
  return choicesOf(roles, fromCodes(given ?? []))
}

/**
 * Returns as options the roles of the users whom the caller may administer, also those that the caller may not grant.
 * @param enabled false to request nothing
 */
export function useRolesOfPeople(enabled = true): Choices {
  const roles = useRolesInReach(enabled)
  return choicesOf(roles, fromCodes(roles.data ?? []))
}

/** Queries the roles of the users whom the caller may administer. Requests nothing if not `enabled`. */
const useRolesInReach = (enabled = true) => useQuery({ ...query(listRoles, { reached: true }), enabled })

/**
 * Returns the partner codes of an affiliation as options, marked if they are issued no keys today, and the one to
 * preselect. There are none if no affiliation is selected ('') or until the list has loaded; `defaultCode` is also
 * undefined if the affiliation has no valid default.
 */
export function usePartnersOf(affiliation: string): Choices & { defaultCode: string | undefined } {
  const t = usePortalMessages().partners.stateOf
  const partners = useQuery({
    ...query(listPartnersOfAffiliation, { affiliationCode: affiliation }),
    enabled: affiliation !== '',
  })
  const list = partners.data ?? []
  return {
    ...choicesOf(
      partners,
      list.map(({ partnerCode, state }) => ({
        value: partnerCode,
        label: state === undefined ? partnerCode : t[state](partnerCode),
      })),
    ),
    isSoleChosen: list[0]?.state === undefined,
    defaultCode: list.find(({ isDefault, state }) => isDefault && state === undefined)?.partnerCode,
  }
}
