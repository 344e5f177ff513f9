import { useQuery } from '@tanstack/react-query'
import { listPartnersOfAffiliation } from '../../../contract/partners.ts'
import { listRoles } from '../../../contract/roles.ts'
import { query } from '../../api/query.ts'
import { choicesOf, fromCodes, fromNames, type Choices } from '../../forms/choices.ts'

/**
 * The roles that the person may give (rules/roles#giving).
 * @param present the code of one that somebody has already: it stays to choose
 */
export function useRoles(present?: string): Choices {
  const roles = useRolesInReach()
  const given = roles.data?.filter(({ code, grantable }) => grantable === true || code === present)
  return choicesOf(roles, fromCodes(given ?? []))
}

/** The roles that people have whom the person may administer, given by whomever. */
export function useRolesOfPeople(): Choices {
  const roles = useRolesInReach()
  return choicesOf(roles, fromCodes(roles.data ?? []))
}

const useRolesInReach = () => useQuery(query(listRoles, { reached: true }))

/** The partner codes of an affiliation, and its default one; none while none is chosen. */
export function usePartnersOf(affiliation: string): Choices & { defaultCode: string | undefined } {
  const partners = useQuery({
    ...query(listPartnersOfAffiliation, { affiliationCode: affiliation }),
    enabled: affiliation !== '',
  })
  const list = partners.data ?? []
  return {
    ...choicesOf(partners, fromNames(list.map(({ partnerCode }) => partnerCode))),
    defaultCode: list.find(({ isDefault }) => isDefault)?.partnerCode,
  }
}
