import { sql, type Transaction } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { affiliationState } from '../common/index.ts'
import { administrable } from '../roles/index.ts'

/**
 * Locks the selected requests of a kind and their users until the transaction ends, so that no other administrator decides them. Users are
 * locked before requests, in the order of their IDs, as in every change of users.
 * @returns `affiliation` is the state of the requested affiliation: that of the account, or the new one, `to`, of a change
 * @throws {Refusal} REQUEST_NOT_FOUND; FORBIDDEN for the caller's own request and for accounts out of reach; REQUEST_DECIDED with the login
 *   IDs of the requests that another administrator decided meanwhile
 */
export async function lockRequests(
  tx: Transaction<Database>,
  actor: SignedIn,
  kind: 'account' | 'affiliation',
  requestIds: string[],
) {
  const people = await tx
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.login_id',
      'u.email',
      'u.language',
      'u.affiliation_code',
      'u.approval_code',
      'u.role_code',
      'u.withdrawn_at',
    ])
    .where('u.id', 'in', (eb) =>
      eb
        .selectFrom('approval_requests as r')
        .select('r.user_id')
        .where('r.id', 'in', requestIds)
        .where('r.kind', '=', kind),
    )
    .where('u.id', '<>', actor.id)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
    .orderBy('u.id')
    .forNoKeyUpdate('u')
    .execute()
  // Read after the locks, so that a call that waited for them sees decided and canceled requests.
  const chosen = await tx
    .selectFrom('approval_requests as r')
    .leftJoin('users as u', 'u.id', 'r.user_id')
    .leftJoin('codes as c', (join) =>
      join.onRef('c.code', '=', 'r.to_affiliation_code').on('c.group_code', '=', CODE_GROUP.affiliation),
    )
    .select((eb) => [
      'r.user_id',
      'r.login_id',
      'r.state',
      eb.fn.coalesce('r.to_affiliation_code', sql<string>`''`).as('to'),
      affiliationState(sql`coalesce(r.to_affiliation_code, u.affiliation_code)`).as('affiliation'),
      eb.fn.coalesce('c.name_ko', sql<string>`''`).as('name_ko'),
      eb.fn.coalesce('c.name_en', sql<string>`''`).as('name_en'),
    ])
    .where('r.id', 'in', requestIds)
    .where('r.kind', '=', kind)
    .orderBy('r.user_id')
    .execute()
  if (chosen.length < requestIds.length) refuse('REQUEST_NOT_FOUND')

  const locked = new Map(people.map((user) => [user.id, user]))
  const decided: string[] = []
  const requests = chosen.flatMap(({ user_id, login_id, state, ...request }) => {
    const user = locked.get(user_id ?? '')
    if (user_id !== null && user === undefined) refuse('FORBIDDEN')
    // An approved account no longer belongs to an applicant: a rejection must never delete it.
    const isOver =
      user?.withdrawn_at !== null || (kind === 'account' && user.approval_code === APPROVAL.approved)
    if (state === 'waiting' && user !== undefined && !isOver) return [{ ...request, user }]
    decided.push(user?.login_id ?? login_id)
    return []
  })
  if (decided.length > 0) refuse('REQUEST_DECIDED', { about: decided })
  return requests
}
