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
