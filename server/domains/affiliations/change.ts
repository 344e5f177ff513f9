import { sql } from 'kysely'
import type * as contract from '../../../contract/affiliations.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { differences } from '../../services/audit.ts'
import { bothNames, checkNames, TAKEN_NAMES } from './names.ts'
import {
  type Chosen,
  chosenFrom,
  findTaken,
  lockAffiliation,
  lockAffiliations,
  versionOfOrder,
} from './queries.ts'

/** Renames an affiliation. Its code and its users stay (rules/affiliations#rename). */
export const renameAffiliation: Handler<typeof contract.renameAffiliation> = async (call, input) => {
  const { affiliationCode } = input
  const names = bothNames(input)
  await call.db.transaction().execute(async (tx) => {
    const before = await lockAffiliation(tx, affiliationCode, input.version)
    checkNames(names, (await findTaken(tx, { except: affiliationCode })).names)
    await mapConstraintErrors(TAKEN_NAMES, () =>
      tx
        .updateTable('codes')
        .set({ name_ko: names.name, name_en: names.nameEn })
        .where('group_code', '=', CODE_GROUP.affiliation)
        .where('code', '=', affiliationCode)
        .execute(),
    )
    await call.audit(tx, { target: affiliationCode, detail: differences(before, names) })
  })
  return {}
}

/** Changes the order of the affiliations in all selects (rules/affiliations#order). */
export const orderAffiliations: Handler<typeof contract.orderAffiliations> = async (call, input) => {
  const { affiliationCodes, version } = input
  await call.db.transaction().execute(async (tx) => {
    const rows = await lockAffiliations(tx)
    const before = rows.map(({ affiliationCode }) => affiliationCode)
    const isSameSet =
      before.length === affiliationCodes.length &&
      new Set([...before, ...affiliationCodes]).size === before.length
    if (version !== versionOfOrder(rows) || !isSameSet) refuse('RECORD_CHANGED')
    await sql`update codes set sort_order = place from unnest(${affiliationCodes}::text[]) with ordinality as o (code, place)
      where group_code = ${CODE_GROUP.affiliation} and codes.code = o.code`.execute(tx)
    await call.audit(tx, { target: 'affiliations', detail: { before, after: affiliationCodes }, records: [] })
  })
  return {}
}

/** Closes an affiliation. At least one must stay open, because a sign-up requires one (rules/affiliations#close). */
export const closeAffiliation: Handler<typeof contract.closeAffiliation> = async (call, input) => {
  await setClosed(call, [input], true)
  return {}
}

/** Closes several affiliations, all of them or none. */
export const closeAffiliations: Handler<typeof contract.closeAffiliations> = async (call, input) => {
  await setClosed(call, input.affiliations, true)
  return {}
}

/** Reopens a closed affiliation. */
export const reopenAffiliation: Handler<typeof contract.reopenAffiliation> = async (call, input) => {
  await setClosed(call, [input], false)
  return {}
}

async function setClosed(call: Call, chosen: readonly Chosen[], closed: boolean): Promise<void> {
  await call.db.transaction().execute(async (tx) => {
    // Locks all affiliations: of two concurrent calls that close the last two, the second one is refused.
    const all = await lockAffiliations(tx)
    const rows = chosenFrom(all, chosen)
    if (rows.some((row) => row.closed === closed)) refuse('RECORD_CHANGED')
    if (closed && all.every((row) => row.closed || rows.includes(row))) refuse('AFFILIATION_LAST')
    const codes = rows.map(({ affiliationCode }) => affiliationCode)
    await tx
      .updateTable('codes')
      .set({ closed_at: closed ? sql<Date>`now()` : null })
      .where('group_code', '=', CODE_GROUP.affiliation)
      .where('code', 'in', codes)
      .execute()
    await call.audit(tx, {
      target: codes.join(', '),
      detail: { closed: { before: !closed, after: closed } },
    })
  })
}
