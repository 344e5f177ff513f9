import type * as contract from '../../../contract/affiliations.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { findRegion, holdPartners, insertPartners } from '../partners/index.ts'
import { requireInBranch } from '../roles/index.ts'
import { partnerOf } from './create.ts'
import { lockAffiliation } from './queries.ts'

/**
 * Creates a partner code for an affiliation within the caller's branch, and writes the audit row. The first one becomes
 * the default (rules/affiliations#default-partner).
 * @returns whether the code became the default
 * @throws {Refusal} FORBIDDEN for another branch; AFFILIATION_NOT_FOUND; AFFILIATION_CLOSED; REGION_NOT_FOUND;
 * PARTNER_CODE_TAKEN
 */
export const createAffiliationPartner: Handler<typeof contract.createAffiliationPartner> = async (
  call,
  input,
) => {
  const { affiliationCode, partnerCode } = input
  requireInBranch(call.actor, affiliationCode)
  const isDefault = await call.db.transaction().execute(async (tx) => {
    const affiliation = await lockAffiliation(tx, affiliationCode)
    if (affiliation.closed) refuse('AFFILIATION_CLOSED')
    const partner = { ...partnerOf(input, affiliationCode), ...(await findRegion(tx, input)) }
    const [partnerId = ''] = await insertPartners(tx, [partner])
    const isFirst = affiliation.partnerCode === ''
    if (isFirst) await saveDefault(tx, affiliationCode, partnerId)
    await call.audit(tx, {
      target: affiliationCode,
      detail: { ...partner, isDefault: isFirst },
      records: [`affiliation/${affiliationCode}`, `partner/${partnerId}`],
    })
    return isFirst
  })
  return { partnerCode, isDefault }
}

/**
 * Selects the default among the partner codes of the affiliation, also a closed one, and writes the audit row unless it
 * is the default already. Users keep their codes.
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if the affiliation changed since the caller read it;
 * PARTNER_NOT_FOUND for a code of another affiliation; PARTNER_STOPPED
 */
export const chooseDefaultPartner: Handler<typeof contract.chooseDefaultPartner> = async (call, input) => {
  const { affiliationCode, partnerCode, version } = input
  await call.db.transaction().execute(async (tx) => {
    const before = await lockAffiliation(tx, affiliationCode, version)
    const held = await holdPartners(tx, [{ affiliationCode, partnerCode }])
    await saveDefault(tx, affiliationCode, held.get(affiliationCode) ?? refuse('PARTNER_NOT_FOUND'))
    await call.audit(tx, {
      target: affiliationCode,
      detail: differences(before, { partnerCode }),
      records: [`affiliation/${affiliationCode}`],
    })
  })
}

/** Stores a partner (partners.id) as the default of an affiliation. */
async function saveDefault(tx: Tx, affiliation: string, partnerId: string): Promise<void> {
  await tx
    .updateTable('codes')
    .set({ defaultPartnerId: partnerId })
    .where('groupCode', '=', CODE_GROUP.affiliation)
    .where('code', '=', affiliation)
    .execute()
}
