import { listAffiliations } from '../../../contract/affiliations.ts'
import { listCodes } from '../../../contract/common.ts'
import { listHistory } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { listPartners, listPartnersOfAffiliation } from '../../../contract/partners.ts'
import { invalidate, query } from '../../api/query.ts'

/** An affiliation with its related records. */
export type Affiliation = OutputOf<typeof listAffiliations>['affiliations'][number]

/** The managed list. */
export const affiliationsQuery = query(listAffiliations, {})

/** Reads everything again that shows affiliations or their partner codes. */
export async function refreshAffiliations(): Promise<void> {
  const shown = [listAffiliations, listCodes, listPartnersOfAffiliation, listPartners, listHistory]
  await Promise.all(shown.map(invalidate))
}
