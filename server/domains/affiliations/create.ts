import { sql } from 'kysely'
import type { createAffiliation as endpoint } from '../../../contract/affiliations.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { findRegion, insertPartners } from '../partners/index.ts'
import { bothNames, checkNames, type Names, TAKEN_NAMES } from './names.ts'
import { findTaken } from './queries.ts'

/**
 * Adds an affiliation at the top of the tree and the end of the order, with its default partner code
 * (rules/affiliations#add). Writes the audit row.
 * @returns the generated affiliation code
 * @throws {Refusal} AFFILIATION_NAME_TAKEN; PARTNER_CODE_TAKEN; REGION_NOT_FOUND
 */
export const createAffiliation: Handler<typeof endpoint> = async (call, input) => {
  const names = bothNames(input)
  const affiliationCode = await call.db.transaction().execute(async (tx) => {
    const taken = await findTaken(tx, { draw: 1 })
    checkNames(names, taken.names)
    const [code = ''] = taken.drawn
    const partner = { ...partnerOf(input, code), ...(await findRegion(tx, input)) }
    const [partnerId = ''] = await insertPartners(tx, [partner])
    await insertAffiliations(tx, [{ ...names, code, partnerId }])
    await call.audit(tx, {
      target: code,
      detail: { before: null, after: { ...names, partner } },
      records: [`affiliation/${code}`, `partner/${partnerId}`],
    })
    return code
  })
  return { affiliationCode }
}

/**
 * Returns the columns of a new partner from the input of the form, except for its region. It has no validity period and
 * no note.
 */
export function partnerOf(
  input: {
    partnerCode: string
    partnerType: 'fa' | 'pa'
    maxKeysPerDay: number | null
    maxKeysPerWeek: number | null
    maxKeysPerMonth: number | null
    maxKeysTotal: number | null
  },
  affiliation: string,
) {
  return {
    code: input.partnerCode,
    type: input.partnerType,
    affiliationCode: affiliation,
    limitDay: input.maxKeysPerDay,
    limitWeek: input.maxKeysPerWeek,
    limitMonth: input.maxKeysPerMonth,
    limitTotal: input.maxKeysTotal,
    validFrom: null,
    validTo: null,
    memo: null,
  }
}

/**
 * Writes new affiliations after all others, each with its default partner, at the top of the tree without a
 * `parentCode`. Writes no audit row.
 * @throws {Refusal} AFFILIATION_NAME_TAKEN
 */
export async function insertAffiliations(
  tx: Tx,
  affiliations: readonly (Names & { code: string; partnerId: string; parentCode?: string | undefined })[],
): Promise<void> {
  await mapConstraintErrors(TAKEN_NAMES, () =>
    tx
      .insertInto('codes')
      .values(
        affiliations.map(({ code, name, nameEn, partnerId, parentCode = null }, index) => ({
          groupCode: CODE_GROUP.affiliation,
          code,
          nameKo: name,
          nameEn,
          sortOrder: sql<number>`(select coalesce(max(sort_order), -1) + 1 + ${index}::int from codes
            where group_code = ${CODE_GROUP.affiliation})`,
          defaultPartnerId: partnerId,
          parentCode,
        })),
      )
      .execute(),
  )
}
