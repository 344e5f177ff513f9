import { sql } from 'kysely'
import type {
  confirmRights as confirmEndpoint,
  signReview as signEndpoint,
  takeRights as takeEndpoint,
  withdrawRights as withdrawEndpoint,
  withdrawRole as removeEndpoint,
} from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import type { Tx } from '../../../db/database.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { removeRoleIn } from '../../roles/index.ts'
import { withdrawRoles } from '../../users/index.ts'
import {
  beginReview,
  countItems,
  findItems,
  findQuarter,
  firstDayOf,
  hasUnconfirmedRights,
  storeCurrentRights,
  lockItems,
  lockReview,
  saveDecision,
} from './queries.ts'

/**
 * Stores the current permissions of roles and users as the items of a review (`storeCurrentRights`,
 * rules/audit#review), with an audit row. Logs access to the users of the items that the caller sees. Works for
 * the current quarter, whose review it begins if needed, and for a past quarter whose review was begun.
 * @returns the number of all items of the review
 * @throws {Refusal} REVIEW_NOT_FOUND for a quarter that cannot be reviewed, or a past one without a begun review;
 * REVIEW_SIGNED
 */
export const takeRights: Handler<typeof takeEndpoint> = async (call, { quarter }) => {
  const { actor, language } = call
  return call.db.transaction().execute(async (tx) => {
    const found = await findQuarter(tx, quarter)
    if (found === undefined || found.reviewState === 'MISSED') refuse('REVIEW_NOT_FOUND')
    if (found.reviewState === 'SIGNED') refuse('REVIEW_SIGNED')
    await beginReview(tx, quarter)
    await lockOpen(tx, quarter)
    await storeCurrentRights(tx, quarter, actor.name)
    const items = await findItems(tx, actor, quarter, language)
    call.touches(items.flatMap(({ personId }) => personId ?? []))
    const { itemCount } = await countItems(tx, actor, quarter)
    await call.audit(tx, { target: quarter, detail: { rightsTaken: itemCount }, records: null })
    return { itemCount }
  })
}

/**
 * Marks items of a review as confirmed, all or none, with a remark and one audit row
 * (rules/audit#review-decisions). Changes no permissions. Logs access to the users of the items.
 * @throws {Refusal} as `lockDecidableItems`
 */
export const confirmRights: Handler<typeof confirmEndpoint> = async (call, { quarter, itemIds, remark }) => {
  const { actor } = call
  await call.db.transaction().execute(async (tx) => {
    const items = await lockDecidableItems(tx, actor, quarter, itemIds)
    await saveDecision(
      tx,
      items.map(({ id }) => id),
      { decision: 'CONFIRMED', remark, remarker: actor },
    )
    await call.audit(tx, {
      target: quarter,
      detail: { rightsConfirmed: items.length, remark },
      records: null,
    })
    call.touches(items.flatMap(({ personId }) => personId ?? []))
  })
}

/**
 * Replaces the role of the users of some items by 일반 사용자 (`withdrawRoles`), and marks the items as withdrawn, all
 * or none (rules/audit#review-decisions).
 * @returns the number of users
 * @throws {Refusal} REVIEW_ITEM_NOT_FOUND also for an item of a role; RECORD_CHANGED if a user no longer has the
 * reviewed role; and as `lockDecidableItems` and `withdrawRoles`
 */
export const withdrawRights: Handler<typeof withdrawEndpoint> = async (
  call,
  { quarter, itemIds, remark },
) => {
  const { actor } = call
  return call.db.transaction().execute(async (tx) => {
    const items = await lockDecidableItems(tx, actor, quarter, itemIds)
    const people = items.map(({ loginId, roleCode, presentRole }) => {
      if (loginId === null) refuse('REVIEW_ITEM_NOT_FOUND')
      if (presentRole !== roleCode) refuse('RECORD_CHANGED')
      return loginId
    })
    await withdrawRoles(tx, call, people, { quarter, remark })
    await saveDecision(
      tx,
      items.map(({ id }) => id),
      { decision: 'WITHDRAWN', remark, remarker: actor },
    )
    return { userCount: people.length }
  })
}

/**
 * Deletes the role of an item, which no user may have any more (`removeRoleIn`), and marks the item as withdrawn
 * (rules/audit#review-decisions).
 * @throws {Refusal} REVIEW_ITEM_NOT_FOUND also for an item of a user; and as `lockDecidableItems` and
 * `removeRoleIn`
 */
export const withdrawRole: Handler<typeof removeEndpoint> = async (call, { quarter, itemId, remark }) => {
  const { actor } = call
  await call.db.transaction().execute(async (tx) => {
    const [item] = await lockDecidableItems(tx, actor, quarter, [itemId])
    if (item === undefined || item.personId !== null) refuse('REVIEW_ITEM_NOT_FOUND')
    await removeRoleIn(tx, call, item.roleCode, { quarter, remark })
    await saveDecision(tx, [item.id], { decision: 'WITHDRAWN', remark, remarker: actor })
  })
}

/**
 * Signs a review as the caller, with an opinion and an audit row, after which nothing in it can change
 * (rules/audit#review-sign-off).
 * @throws {Refusal} REVIEW_ABOVE if an item is hidden from the caller; RECORD_CHANGED if the number of items
 * changed, or permissions exist now that the review did not confirm; REVIEW_OPEN if an item is undecided; and as
 * `lockOpen`
 */
export const signReview: Handler<typeof signEndpoint> = async (call, { quarter, itemCount, opinion }) => {
  const { actor } = call
  await call.db.transaction().execute(async (tx) => {
    await lockOpen(tx, quarter)
    const found = await countItems(tx, actor, quarter)
    // A reviewer may only sign after seeing every item.
    if (found.hiddenCount > 0) refuse('REVIEW_ABOVE')
    if (found.itemCount !== itemCount) refuse('RECORD_CHANGED')
    if (found.decidedCount < found.itemCount) refuse('REVIEW_OPEN')
    if (await hasUnconfirmedRights(tx, quarter)) refuse('RECORD_CHANGED')
    await tx
      .updateTable('rightsReviews')
      .set({ opinion, signedAt: sql`now()`, signerLoginId: actor.userId, signerName: actor.name })
      .where('quarter', '=', firstDayOf(quarter))
      .execute()
    await call.audit(tx, { target: quarter, detail: { rightsTaken: itemCount, opinion }, records: null })
  })
}

/**
 * Locks a review until the transaction ends.
 * @throws {Refusal} REVIEW_NOT_FOUND if it was not begun; REVIEW_SIGNED
 */
async function lockOpen(tx: Tx, quarter: string): Promise<void> {
  const review = await lockReview(tx, quarter)
  if (review === undefined) refuse('REVIEW_NOT_FOUND')
  if (review.signedAt !== null) refuse('REVIEW_SIGNED')
}

/**
 * Locks a review that is not signed and some of its items until the transaction ends, and returns the items.
 * @throws {Refusal} REVIEW_ITEM_NOT_FOUND for an unknown or hidden item; FORBIDDEN if the actor lacks permissions
 * of an item; REVIEW_OWN if the actor may not decide it (`decidableBy`); REVIEW_ITEM_DECIDED if it is withdrawn
 * already; and as `lockOpen`
 */
async function lockDecidableItems(tx: Tx, actor: SignedIn, quarter: string, itemIds: readonly string[]) {
  await lockOpen(tx, quarter)
  const ids = [...new Set(itemIds)]
  const items = await lockItems(tx, actor, quarter, ids)
  if (items.length < ids.length) refuse('REVIEW_ITEM_NOT_FOUND')
  if (items.some(({ isHeld }) => !isHeld)) refuse('FORBIDDEN')
  if (items.some(({ decidable }) => !decidable)) refuse('REVIEW_OWN')
  if (items.some(({ decision }) => decision === 'WITHDRAWN')) refuse('REVIEW_ITEM_DECIDED')
  return items
}
