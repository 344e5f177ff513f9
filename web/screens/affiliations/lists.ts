import { listAffiliations } from '../../../contract/affiliations.ts'
import { listCodes, toTree } from '../../../contract/common.ts'
import { listHistory } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listPartners, listPartnersOfAffiliation } from '../../../contract/partners.ts'
import { invalidate, query } from '../../api/query.ts'

/** Affiliation with its counts and default partner code, as the server returns it. */
export type Affiliation = OutputOf<typeof listAffiliations>['affiliations'][number]

/** Returns affiliations in the order of their tree, with the number of those above each (rules/affiliations#tree). */
export const inTree = (affiliations: readonly Affiliation[]) =>
  toTree(affiliations, ({ affiliationCode }) => affiliationCode)

/** Query of all affiliations with their related records. */
export const affiliationsQuery = query(listAffiliations, {})

/**
 * Invalidates all results that show affiliations, their partner codes or their history. Resolves when open screens have
 * read them again.
 */
export async function refreshAffiliations(): Promise<void> {
  const shown = [listAffiliations, listCodes, listPartnersOfAffiliation, listPartners, listHistory]
  await Promise.all(shown.map(invalidate))
}
