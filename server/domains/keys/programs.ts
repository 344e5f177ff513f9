import { sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import {
  type createProgram as createEndpoint,
  type endProgram as endEndpoint,
  type listAllPrograms as listAllEndpoint,
  type listPrograms as listEndpoint,
  type revokeProgram as revokeEndpoint,
  type rollProgram as rollEndpoint,
} from '../../../contract/keys.ts'
import { contains, COUNTED_PEOPLE, pageOf } from '../../db/list.ts'
import { isPerson, mayLogIn, orEmpty, timeText, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { newToken } from '../../callers/bearer-tokens.ts'
import { notify } from '../../records/notifications.ts'
import { requireNameLength } from '../common/index.ts'
import {
  insertToken,
  isShown,
  liveProgram,
  REVOKED,
  rightsOf,
  scopesOf,
  toNetworks,
} from './program-tokens.ts'
import { previousText, rotationOf, stateOf } from './tokens.ts'

/**
 * Returns the caller's partner code ('' if none), usable scopes and program tokens: the valid ones first, and those
 * that ended at most SHOWN_DAYS ago (rules/keys#program-tokens).
 */
export const listPrograms: Handler<typeof listEndpoint> = async ({ db, actor }) => {
  const partner = await db
    .selectFrom('partners')
    .select('code')
    .where('id', '=', actor.partnerId)
    .executeTakeFirst()
  const programs = await db
    .selectFrom('programTokens')
    .select((eb) => [
      'id as programId',
      'name as programName',
      stateOf({ column: 'ended_at', state: sql<'expired' | 'revoked' | 'account'>`end_reason` }).as('state'),
      wireTime(eb.ref('createdAt')).as('createdAt'),
      wireTime(eb.ref('expiresAt')).as('expiresAt'),
      previousText('endedAt').as('previousUntil'),
      timeText('lastUsedAt').as('lastUsedAt'),
      orEmpty('lastAddress').as('address'),
      timeText('endedAt').as('endedAt'),
      ...rightsOf('programTokens'),
    ])
    .where('userId', '=', actor.id)
    .where(isShown)
    .orderBy(sql`least(ended_at, expires_at) <= now()`)
    .orderBy('id', 'desc')
    .execute()
  return { partnerCode: partner?.code ?? '', grantableScopes: scopesOf(actor), programs }
}

/**
 * Creates a program token of the caller, with an audit row. Only this response ever contains it.
 * @throws {Refusal} NO_PARTNER for a token without a scope, which only issues keys, if the caller has no partner;
 * PROGRAMS_FULL, PROGRAM_NAME_TAKEN; and as `lockOwner`
 */
export const createProgram: Handler<typeof createEndpoint> = async (
  call,
  { programName, validDays, scopes, allowedNetworks },
) => {
  const { actor, db } = call
  // Without a scope a token only issues keys.
  if (actor.partnerId === null && scopes.length === 0) refuse('NO_PARTNER')
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, actor)
    const { id, token } = await insertToken(tx, {
      userId: actor.id,
      name: programName,
      validDays,
      scopes,
      allowedNetworks: toNetworks(allowedNetworks),
    })
    await call.audit(tx, {
      target: id,
      detail: { name: programName, validDays, scopes, allowedNetworks },
      records: null,
    })
    return { programId: id, programToken: token }
  })
}

/**
 * Replaces a token of the caller by a new one with a new expiry, with an audit row; the old one stays valid for the
 * overlap (rules/keys#token-rollover). Only this response ever contains the new one.
 * @throws {Refusal} PROGRAM_NOT_FOUND, also if it has expired or was revoked; and as `lockOwner`
 */
export const rollProgram: Handler<typeof rollEndpoint> = async (call, { programId, ...days }) => {
  const { actor, db } = call
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, actor)
    const token = newToken('program')
    const row = await liveProgram(tx, programId)
      .where('userId', '=', actor.id)
      .set(rotationOf(token, days))
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    await call.audit(tx, { target: programId, detail: { name: row.name, ...days }, records: null })
    return { programToken: token }
  })
}

/**
 * Revokes a token of the caller, with an audit row. The next call with it fails.
 * @throws {Refusal} PROGRAM_NOT_FOUND, also if it has expired or was revoked
 */
export const revokeProgram: Handler<typeof revokeEndpoint> = async (call, { programId }) => {
  await call.db.transaction().execute(async (tx) => {
    const row = await liveProgram(tx, programId)
      .where('userId', '=', call.actor.id)
      .set(REVOKED)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    await call.audit(tx, { target: programId, detail: { name: row.name }, records: null })
  })
  return {}
}

/**
 * Locks the account of the token's owner, so that concurrent calls cannot exceed the maximum. A concurrent suspension
 * or withdrawal of the account waits, and then ends this token, too.
 * @throws {Refusal} SESSION_REQUIRED if the account may no longer log in or has a temporary password
 */
async function lockOwner(tx: Transaction<Database>, { id }: SignedIn): Promise<void> {
  const owner = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where(mayLogIn())
    .where('passwordTemporary', '=', false)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (owner === undefined) refuse('SESSION_REQUIRED')
}

/**
 * Returns a page of the valid program tokens of all users, not of program accounts, newest first
 * (rules/keys#programs-of-others). The keyword is searched in the names of user and token, login ID and partner code.
 * Records in the access log the users whom the total of a search reveals.
 * @throws {InputRefusal} as `requireNameLength`
 */
export const listAllPrograms: Handler<typeof listAllEndpoint> = async (call, { keyword, ...page }) => {
  const { db } = call
  requireNameLength(call, keyword, 'keyword', 'KEYWORD')
  const columns = ['u.name', 'u.loginId', 't.name', 'p.code']
  const found = db
    .selectFrom('programTokens as t')
    .innerJoin('users as u', 'u.id', 't.userId')
    .leftJoin('partners as p', 'p.id', 'u.partnerId')
    .where('t.endedAt', 'is', null)
    .where(isPerson('u.id'))
    .where('t.expiresAt', '>', sql<Date>`now()`)
    .$if(keyword !== '', (query) =>
      query.where((eb) => eb.or(columns.map((column) => contains(sql.ref(column), keyword)))),
    )
  const list = found
    .select((eb) => [
      't.id as programId',
      't.name as programName',
      'u.loginId as userId',
      'u.name',
      sql<string>`coalesce(p.code, '')`.as('partnerCode'),
      stateOf({ column: 't.endedAt', state: sql<'revoked'>`'revoked'` }).as('state'),
      wireTime(eb.ref('t.createdAt')).as('createdAt'),
      wireTime(eb.ref('t.expiresAt')).as('expiresAt'),
      timeText('t.lastUsedAt').as('lastUsedAt'),
      ...rightsOf('t'),
    ])
    .orderBy('t.id', 'desc')
  const { totalCount, rows } = await pageOf(db, list, page)
  if (keyword !== '' && rows.length < totalCount && totalCount <= COUNTED_PEOPLE)
    call.touches((await found.select('u.id').limit(COUNTED_PEOPLE).execute()).map(({ id }) => id))
  return { totalCount, programs: rows }
}

/**
 * Revokes a program token of any user, with an audit row, and notifies its owner of the reason, unless the caller is
 * the owner. The next call with the token fails (rules/keys#programs-of-others).
 * @throws {Refusal} PROGRAM_NOT_FOUND, also if it has expired or was revoked
 */
export const endProgram: Handler<typeof endEndpoint> = async (call, { programId, reason }) => {
  await call.db.transaction().execute(async (tx) => {
    const row = await liveProgram(tx, programId)
      .where(isPerson('userId'))
      .set(REVOKED)
      .returning([
        'name',
        'userId',
        sql<string>`(select login_id from users where id = program_tokens.user_id)`.as('loginId'),
      ])
      .executeTakeFirst()
    if (row === undefined) return refuse('PROGRAM_NOT_FOUND')
    const { name, userId, loginId } = row
    call.touches([userId])
    // The owner is not notified of their own action.
    if (userId !== call.actor.id)
      await notify(tx, { kind: 'PROGRAM_ENDED', userId, detail: { programName: name, reason } })
    await call.audit(tx, { target: programId, detail: { name, userId: loginId, reason }, records: null })
  })
  return {}
}
