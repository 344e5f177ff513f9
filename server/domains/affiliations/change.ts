import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type * as contract from '../../../contract/affiliations.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Actor } from '../../../contract/permissions.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import { isExternal } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { endFormerControl, grantable, isPowerful, keepingAdmins } from '../roles/index.ts'
import { bothNames, checkNames, TAKEN_NAMES } from './names.ts'
import {
  type ChosenAffiliation,
  chosenFrom,
  findTaken,
  lockAffiliation,
  lockAffiliations,
  versionOfOrder,
} from './queries.ts'

/**
 * Renames an affiliation, and writes the audit row unless the names are the same. Its code and its users stay
 * (rules/affiliations#rename). An empty English name becomes the Korean one.
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if it changed since the caller read it;
 * AFFILIATION_NAME_TAKEN
 */
export const renameAffiliation: Handler<typeof contract.renameAffiliation> = async (call, input) => {
  const { affiliationCode } = input
  const names = bothNames(input)
  await call.db.transaction().execute(async (tx) => {
    const before = await lockAffiliation(tx, affiliationCode, input.version)
    checkNames(names, (await findTaken(tx, { except: affiliationCode })).names)
    await mapConstraintErrors(TAKEN_NAMES, () =>
      tx
        .updateTable('codes')
        .set({ nameKo: names.name, nameEn: names.nameEn })
        .where('groupCode', '=', CODE_GROUP.affiliation)
        .where('code', '=', affiliationCode)
        .execute(),
    )
    await call.audit(tx, {
      target: affiliationCode,
      detail: differences(before, names),
      records: [`affiliation/${affiliationCode}`],
    })
  })
}

/**
 * Puts an affiliation below another one, also a closed one, or at the top for '', and stores `external`, if given
 * (rules/affiliations#tree). Ends the access of former controllers of users whose permissions reach more now. Writes
 * the audit row unless nothing changes, and wakes the mail job.
 * @throws {Refusal} AFFILIATION_NOT_FOUND, also for the parent; RECORD_CHANGED if it changed since the caller read it;
 * AFFILIATION_PARENT for a cycle or too many levels; AFFILIATION_OWN_EXTERNAL if the caller would be in another company;
 * FORBIDDEN as `checkHoldersAbove`, and if the caller may not grant the role of a user whose permissions would reach
 * more, or who would change between the own company and another one; LAST_ADMIN and LAST_ADMIN_ENDS as `keepingAdmins`
 */
export const changeParentAffiliation: Handler<typeof contract.changeParentAffiliation> = async (
  call,
  input,
) => {
  const { actor } = call
  const { affiliationCode, parentCode, version } = input
  await call.db.transaction().execute(async (tx) => {
    // Locks all affiliations: two concurrent moves could put two of them below each other.
    const all = await lockAffiliations(tx)
    const [before] = chosenFrom(all, [{ affiliationCode, version }])
    if (before === undefined) return refuse('AFFILIATION_NOT_FOUND')
    const { external = before.external } = input
    if (parentCode !== '' && all.every((row) => row.affiliationCode !== parentCode))
      refuse('AFFILIATION_NOT_FOUND')
    const places = await checkHoldersAbove(tx, actor, [parentCode], true)
    const former = new Map(places.map((place) => [place.id, place]))
    await keepingAdmins(tx, async () => {
      await mapConstraintErrors({ codes_parent_depth: 'AFFILIATION_PARENT' }, () =>
        tx
          .updateTable('codes')
          .set({ parentCode: parentCode || null, isExternal: external })
          .where('groupCode', '=', CODE_GROUP.affiliation)
          .where('code', '=', affiliationCode)
          .execute(),
      )
      const present = await findPlacesOfRights(tx, actor)
      // Permissions end in another company.
      if (present.some(({ id, isOutside }) => id === actor.id && isOutside))
        refuse('AFFILIATION_OWN_EXTERNAL')
      const changed = present.flatMap((place) => {
        const { isOutside: wasOutside = place.isOutside, reach = place.reach } = former.get(place.id) ?? {}
        const isWider = isWidened(reach, place.reach)
        return isWider || wasOutside !== place.isOutside ? [{ ...place, wasOutside, isWider }] : []
      })
      requireGrantable(changed)
      // A wider reach counts as a move of the user (rules/roles#former-controllers).
      await endFormerControl(
        tx,
        call,
        changed
          .filter(({ isWider }) => isWider)
          .map(({ id, roleCode, wasOutside }) => ({
            id,
            before: roleCode,
            after: roleCode,
            isMoved: true,
            wasOutside,
          })),
      )
    })
    await call.audit(tx, {
      target: affiliationCode,
      detail: differences(before, { parentCode, external }),
      records: [`affiliation/${affiliationCode}`],
    })
  })
  call.services.mail.wake()
}

/** Returns whether permissions reach an affiliation now that they did not reach before. A reach of null is the whole company. */
function isWidened(before: readonly string[] | null, after: readonly string[] | null): boolean {
  return before !== null && (after === null || after.some((code) => !before.includes(code)))
}

/** A user with a role, whose permissions may depend on the affiliation. */
interface PlaceOfRights {
  id: string
  roleCode: string
  withdrawnAt: Date | null
  /** Whether the actor may grant the role. */
  isGrantable: boolean
  /** Whether the user is in another company. */
  isOutside: boolean
  /** Codes of the affiliations that the permissions reach; null for the whole company. */
  reach: string[] | null
}

/**
 * Returns all users with a role that counts (`isPowerful`), also withdrawn ones.
 * @param isLocking locks their rows until the transaction ends, before `keepingAdmins`, as every change of a user does
 */
function findPlacesOfRights(tx: Tx, actor: Actor, isLocking = false): Promise<PlaceOfRights[]> {
  return tx
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.code', 'u.roleCode')
    .select([
      'u.id',
      'u.roleCode',
      'u.withdrawnAt',
      grantable(actor, sql.ref('u.roleCode')).as('isGrantable'),
      isExternal(sql`u.affiliation_code`).as('isOutside'),
      sql<string[] | null>`affiliations_reached(u.affiliation_code, r.span)`.as('reach'),
    ])
    .where(isPowerful(sql.ref('u.roleCode')))
    .orderBy('u.id')
    .$if(isLocking, (query) => query.forNoKeyUpdate('u'))
    .execute()
}

/**
 * Checks that the actor may grant the role of each of these users who is not withdrawn.
 * @throws {Refusal} FORBIDDEN
 */
function requireGrantable(places: readonly PlaceOfRights[]): void {
  if (places.some(({ isGrantable, withdrawnAt }) => !isGrantable && withdrawnAt === null))
    refuse('FORBIDDEN', { raisesRights: true })
}

/**
 * Checks that the actor may grant the role of each user who reaches one of these affiliations by their own affiliation,
 * so that the actor may put affiliations below them (rules/affiliations#tree).
 * @param isLocking as for `findPlacesOfRights`
 * @returns the users of `findPlacesOfRights`
 * @throws {Refusal} FORBIDDEN
 */
export async function checkHoldersAbove(
  tx: Tx,
  actor: Actor,
  parentCodes: readonly string[],
  isLocking = false,
): Promise<PlaceOfRights[]> {
  const places = await findPlacesOfRights(tx, actor, isLocking)
  requireGrantable(places.filter(({ reach }) => reach?.some((code) => parentCodes.includes(code))))
  return places
}

/**
 * Changes the order of the affiliations in all selects, and writes the audit row unless it is the same
 * (rules/affiliations#order).
 * @throws {Refusal} RECORD_CHANGED if the order changed since the caller read it, or the codes are not exactly all
 * affiliations
 */
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
    await call.audit(tx, {
      target: 'affiliations',
      detail: isDeepStrictEqual(before, affiliationCodes) ? {} : { before, after: affiliationCodes },
      records: [],
    })
  })
}

/**
 * Closes an affiliation, so that it can no longer be selected, and writes the audit row. At least one must stay open,
 * because a sign-up requires one (rules/affiliations#close).
 * @throws {Refusal} AFFILIATION_LAST for the last open one; AFFILIATION_NOT_FOUND; RECORD_CHANGED if it changed since
 * the caller read it, or is closed already
 */
export const closeAffiliation: Handler<typeof contract.closeAffiliation> = (call, input) =>
  setClosed(call, [input], true)

/**
 * Closes several affiliations, all of them or none, with one audit row.
 * @throws {Refusal} AFFILIATION_LAST if none would stay open; AFFILIATION_NOT_FOUND; RECORD_CHANGED if one changed
 * since the caller read it, or is closed already
 */
export const closeAffiliations: Handler<typeof contract.closeAffiliations> = (call, input) =>
  setClosed(call, input.affiliations, true)

/**
 * Reopens a closed affiliation, and writes the audit row.
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if it changed since the caller read it, or is open already
 */
export const reopenAffiliation: Handler<typeof contract.reopenAffiliation> = (call, input) =>
  setClosed(call, [input], false)

/**
 * Closes or reopens affiliations, all of them or none, and writes one audit row. Users and partner codes stay.
 * @throws {Refusal} AFFILIATION_NOT_FOUND; RECORD_CHANGED if one changed since the caller read it or has this state
 * already; AFFILIATION_LAST if none would stay open
 */
async function setClosed(call: Call, chosen: readonly ChosenAffiliation[], closed: boolean): Promise<void> {
  await call.db.transaction().execute(async (tx) => {
    // Locks all affiliations: of two concurrent calls that close the last two, the second one is refused.
    const all = await lockAffiliations(tx)
    const rows = chosenFrom(all, chosen)
    if (rows.some((row) => row.closed === closed)) refuse('RECORD_CHANGED')
    if (closed && all.every((row) => row.closed || rows.includes(row))) refuse('AFFILIATION_LAST')
    const codes = rows.map(({ affiliationCode }) => affiliationCode)
    await tx
      .updateTable('codes')
      .set({ closedAt: closed ? sql<Date>`now()` : null })
      .where('groupCode', '=', CODE_GROUP.affiliation)
      .where('code', 'in', codes)
      .execute()
    await call.audit(tx, {
      target: codes.join(', '),
      detail: { closed: { before: !closed, after: closed } },
      records: codes.map((code) => `affiliation/${code}` as const),
    })
  })
}
