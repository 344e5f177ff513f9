import { useQuery } from '@tanstack/react-query'
import { listPartnersOfAffiliation } from '../../../contract/partners.ts'
import { listRoles } from '../../../contract/roles.ts'
import { query } from '../../api/query.ts'
import { choicesOf, fromCodes, fromNames, type Choices } from '../../forms/choices.ts'

/** The roles that the person may grant. */
export function useRoles(): Choices {
  const roles = useQuery(query(listRoles, {}))
  return choicesOf(roles, fromCodes(roles.data ?? []))
}

/** The partner codes of an affiliation; none while none is chosen. */
export function usePartnersOf(affiliation: string): Choices {
  const partners = useQuery({
    ...query(listPartnersOfAffiliation, { affiliationCode: affiliation }),
    enabled: affiliation !== '',
  })
  return choicesOf(partners, fromNames((partners.data ?? []).map(({ partnerCode }) => partnerCode)))
}
