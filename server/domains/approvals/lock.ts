import { sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Tx } from '../../db/database.ts'
import { isExternal } from '../../db/sql.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { affiliationState } from '../common/index.ts'
import { administrable, isBoundToAffiliation, movable, requireInBranch } from '../roles/index.ts'

/**
 * Locks the selected requests of a kind and their users until the transaction ends, so that no other administrator
 * decides them. Users are locked before requests, in the order of users.id, as in every change of users.
 * @param requestIds approval_requests.id
 * @returns the requests with their users. `to` is the code of the affiliation that a change requests, `nameKo` and
 * `nameEn` are its names ('' for a request for an account). `affiliation` is 'open' or 'closed' for that
 * affiliation, or for the account's own
 * @throws {Refusal} REQUEST_NOT_FOUND for an unknown request, or FORBIDDEN for an actor of one branch; FORBIDDEN
 * for the caller's own request, accounts out of reach, and affiliations of another branch; REQUEST_DECIDED with
 * the login IDs if a request was decided or canceled, or its account was withdrawn or approved
 */
export async function lockRequests(
  tx: Tx,
  actor: SignedIn,
  kind: 'account' | 'affiliation',
  requestIds: string[],
) {
  const people = await tx
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.loginId',
      'u.name',
      'u.email',
      'u.language',
      'u.affiliationCode',
      'u.approvalCode',
      'u.roleCode',
      'u.withdrawnAt',
      isBoundToAffiliation('u').as('isBound'),
      isExternal(sql`u.affiliation_code`).as('isOutside'),
      movable(actor, 'u').as('isMovable'),
    ])
    .where('u.id', 'in', (eb) =>
      eb
        .selectFrom('approvalRequests as r')
        .select('r.userId')
        .where('r.id', 'in', requestIds)
        .where('r.kind', '=', kind),
    )
    .where('u.id', '<>', actor.id)
    .where(administrable(actor, 'u'))
    .orderBy('u.id')
    .forNoKeyUpdate('u')
    .execute()
  // Read after the locks, so that a call that waited for them sees decided and canceled requests.
  const chosen = await tx
    .selectFrom('approvalRequests as r')
    .leftJoin('users as u', 'u.id', 'r.userId')
    .leftJoin('codes as c', (join) =>
      join.onRef('c.code', '=', 'r.toAffiliationCode').on('c.groupCode', '=', CODE_GROUP.affiliation),
    )
    .select((eb) => [
      'r.userId',
      'r.loginId',
      'r.affiliationCode as from',
      'r.state',
      eb.fn.coalesce('r.toAffiliationCode', sql<string>`''`).as('to'),
      affiliationState(sql`coalesce(r.to_affiliation_code, u.affiliation_code)`).as('affiliation'),
      eb.fn.coalesce('c.nameKo', sql<string>`''`).as('nameKo'),
      eb.fn.coalesce('c.nameEn', sql<string>`''`).as('nameEn'),
    ])
    .where('r.id', 'in', requestIds)
    .where('r.kind', '=', kind)
    .orderBy('r.userId')
    .execute()
  if (chosen.length < requestIds.length) refuse(actor.within === null ? 'REQUEST_NOT_FOUND' : 'FORBIDDEN')

  const locked = new Map(people.map((user) => [user.id, user]))
  const decided: string[] = []
  const requests = chosen.flatMap(({ userId, loginId, state, from, ...request }) => {
    const user = locked.get(userId ?? '')
    if (userId !== null && user === undefined) refuse('FORBIDDEN')
    // A rejected applicant has no account any more.
    if (user === undefined) requireInBranch(actor, from)
    if (kind === 'affiliation' && user !== undefined) {
      requireInBranch(actor, request.to)
      if (!user.isMovable) refuse('FORBIDDEN', { raisesRights: true })
    }
    // An approved account no longer belongs to an applicant: a rejection must never delete it.
    const isOver =
      user?.withdrawnAt !== null || (kind === 'account' && user.approvalCode === APPROVAL.approved)
    if (state === 'waiting' && user !== undefined && !isOver) return [{ ...request, user }]
    decided.push(user?.loginId ?? loginId)
    return []
  })
  if (decided.length > 0) refuse('REQUEST_DECIDED', { about: decided })
  return requests
}
