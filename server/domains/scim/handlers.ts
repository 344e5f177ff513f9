import { type Kysely, sql } from 'kysely'
import { SCIM_BASE } from '../../../contract/envelope.ts'
import { refuse } from '../../../contract/errors.ts'
import { can, type Actor, reachesAdministrators } from '../../../contract/permissions.ts'
import { SCIM_TOKENS_MAX } from '../../../contract/scim.ts'
import { hashToken, newToken } from '../../callers/bearer-tokens.ts'
import { timeText, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Tx } from '../../db/database.ts'
import type { Call, Handlers } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { requirePlaceable } from '../common/index.ts'
import { isWithinReach, PROVIDER_RIGHTS } from '../roles/index.ts'
import { type LockedProvider, lockProvider } from './queries.ts'

/**
 * Runs a change of a provider in a transaction that locks it.
 * @returns the result of `work`
 * @throws {Refusal} ADMIN_REACH_REQUIRED if the caller does not reach administrators, because a provider opens
 * accounts; SSO_PROVIDER_NOT_FOUND; and those of `work`
 */
function changeProvider<T>(
  { actor, db }: Pick<Call, 'db'> & { actor: Actor },
  providerId: string,
  work: (tx: Tx, provider: LockedProvider) => Promise<T>,
): Promise<T> {
  if (!reachesAdministrators(actor)) refuse('ADMIN_REACH_REQUIRED')
  return db
    .transaction()
    .execute(async (tx) => work(tx, await lockProvider(tx, providerId, 'SSO_PROVIDER_NOT_FOUND')))
}

/**
 * Returns the query for the accounts that a provider wants to adopt and that no provider manages, as the rows `c` of
 * scim_candidates and `u` of users.
 */
const candidatesOf = (db: Kysely<Database>, providerId: string) =>
  db
    .selectFrom('scimCandidates as c')
    .innerJoin('users as u', 'u.id', 'c.userId')
    .where('c.providerId', '=', providerId)
    .where('u.withdrawnAt', 'is', null)
    .where(sql<boolean>`not exists (select from scim_users s where s.user_id = u.id)`)

/**
 * Handlers of provisioning in the dialog of a provider: tokens, affiliation of new accounts, release after too many
 * suspensions, and accounts to adopt (rules/scim). Every change writes an audit row, and needs a caller who reaches
 * administrators. Accounts with a privileged permission are never adopted.
 */
export const scim: Handlers<'scim'> = {
  /**
   * Returns the tokens of a provider (not the secrets), the number of accounts that it manages, since when it is stopped, and
   * the accounts that it wants to adopt, for a caller who may decide this (otherwise none).
   * @throws {Refusal} SSO_PROVIDER_NOT_FOUND
   */
  async getScim(call, { providerId }) {
    const { db, actor, services } = call
    const provider = await db
      .selectFrom('identityProviders as p')
      .select([
        sql<string>`coalesce(p.scim_affiliation_code, '')`.as('affiliationCode'),
        timeText('p.scimStoppedAt').as('stoppedAt'),
        sql<number>`(select count(*)::int from scim_users s join users u on u.id = s.user_id
          where s.provider_id = p.id and u.withdrawn_at is null)`.as('managedCount'),
      ])
      .where('p.id', '=', providerId)
      .executeTakeFirst()
    if (provider === undefined) return refuse('SSO_PROVIDER_NOT_FOUND')
    const tokens = await db
      .selectFrom('scimTokens as t')
      .innerJoin('users as u', 'u.id', 't.createdBy')
      .select((eb) => [
        't.id as tokenId',
        wireTime(eb.ref('t.createdAt')).as('createdAt'),
        'u.loginId as createdBy',
        timeText('t.lastUsedAt').as('lastUsedAt'),
      ])
      .where('t.providerId', '=', providerId)
      .orderBy('t.id')
      .execute()
    const candidates =
      !reachesAdministrators(actor) || !can(actor, 'autho_user_manage')
        ? []
        : await candidatesOf(db, providerId)
            .select((eb) => [
              'u.id as candidateId',
              'u.loginId as userId',
              'u.name',
              'u.email',
              'c.userName as scimName',
              wireTime(eb.ref('c.askedAt')).as('askedAt'),
              sql<boolean>`not ${isWithinReach(PROVIDER_RIGHTS, 'u')}`.as('privileged'),
            ])
            .orderBy('c.askedAt', 'desc')
            .limit(200)
            .execute()
    call.touches(candidates.map(({ candidateId }) => candidateId))
    return { ...provider, scimUrl: services.settings.link(SCIM_BASE) ?? '', tokens, candidates }
  },

  /**
   * Saves the affiliation of new accounts, with an audit row. Writes nothing if it is unchanged.
   * @throws {Refusal} CODE_NOT_FOUND, AFFILIATION_CLOSED; and as `changeProvider`
   */
  updateScim: (call, { providerId, affiliationCode }) =>
    changeProvider(call, providerId, async (tx, { name, scimAffiliationCode }) => {
      await requirePlaceable(tx, affiliationCode)
      const detail = differences({ affiliationCode: scimAffiliationCode ?? '' }, { affiliationCode })
      if (Object.keys(detail).length === 0) return
      await tx
        .updateTable('identityProviders')
        .set({ scimAffiliationCode: affiliationCode })
        .where('id', '=', providerId)
        .execute()
      await call.audit(tx, { target: name, detail, records: null })
    }),

  /**
   * Creates a token of the provider, with an audit row. Only this response ever contains it.
   * @throws {Refusal} SCIM_AFFILIATION_REQUIRED without an affiliation for new accounts; SCIM_TOKENS_FULL beyond
   * SCIM_TOKENS_MAX; and as `changeProvider`
   */
  createScimToken: (call, { providerId }) =>
    changeProvider(call, providerId, async (tx, { name, scimAffiliationCode }) => {
      if (scimAffiliationCode === null) refuse('SCIM_AFFILIATION_REQUIRED')
      const present = await tx
        .selectFrom('scimTokens')
        .select('id')
        .where('providerId', '=', providerId)
        .execute()
      if (present.length >= SCIM_TOKENS_MAX) refuse('SCIM_TOKENS_FULL')
      const scimToken = newToken('scim')
      const { id: tokenId } = await tx
        .insertInto('scimTokens')
        .values({ providerId, tokenHash: hashToken(scimToken), createdBy: call.actor.id })
        .returning('id')
        .executeTakeFirstOrThrow()
      await call.audit(tx, { target: name, detail: { tokenId }, records: null })
      return { tokenId, scimToken }
    }),

  /**
   * Deletes a token of the provider, with an audit row. The next request with it fails.
   * @throws {Refusal} SCIM_TOKEN_NOT_FOUND; and as `changeProvider`
   */
  endScimToken: (call, { providerId, tokenId }) =>
    changeProvider(call, providerId, async (tx, { name }) => {
      const { numDeletedRows } = await tx
        .deleteFrom('scimTokens')
        .where('id', '=', tokenId)
        .where('providerId', '=', providerId)
        .executeTakeFirst()
      if (numDeletedRows === 0n) refuse('SCIM_TOKEN_NOT_FOUND')
      await call.audit(tx, { target: name, detail: { tokenId }, records: null })
    }),

  /**
   * Ends the stop of a provider, and lifts its limit of suspensions for an hour, with an audit row.
   * @throws {Refusal} SCIM_NOT_STOPPED; and as `changeProvider`
   */
  releaseScim: (call, { providerId }) =>
    changeProvider(call, providerId, async (tx, { name, scimStoppedAt }) => {
      if (scimStoppedAt === null) refuse('SCIM_NOT_STOPPED')
      await tx
        .updateTable('identityProviders')
        .set({ scimStoppedAt: null, scimReleasedUntil: sql<Date>`now() + interval '1 hour'` })
        .where('id', '=', providerId)
        .execute()
      await call.audit(tx, { target: name, records: null })
    }),

  /**
   * Lets the provider manage accounts that exist, all or none, with an audit row, and returns their number.
   * @throws {Refusal} SCIM_CANDIDATE_NOT_FOUND if one is no candidate, has a privileged permission or is managed already; and
   * as `changeProvider`
   */
  adoptAccounts: (call, { providerId, candidateIds }) =>
    changeProvider(call, providerId, async (tx, { name }) => {
      const wanted = [...new Set(candidateIds)]
      const users = await candidatesOf(tx, providerId)
        .select(['u.id', 'u.loginId', 'c.userName', 'c.externalId'])
        .where('u.id', 'in', wanted)
        // Never one with a privileged permission.
        .where(isWithinReach(PROVIDER_RIGHTS, 'u'))
        .orderBy('u.id')
        .forNoKeyUpdate('u')
        .execute()
      if (users.length < wanted.length) refuse('SCIM_CANDIDATE_NOT_FOUND')
      const rows = users.map(({ id, userName, externalId }) => ({
        userId: id,
        providerId,
        userName,
        externalId,
        isMade: false,
      }))
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('scimUsers')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== BigInt(rows.length)) refuse('SCIM_CANDIDATE_NOT_FOUND')
      const ids = users.map(({ id }) => id)
      await tx.deleteFrom('scimCandidates').where('userId', 'in', ids).execute()
      await call.audit(tx, {
        target: name,
        detail: { users: users.map(({ id, loginId }) => ({ id, loginId })) },
        records: ids.map((id) => `user/${id}` as const),
      })
      return { adoptedCount: users.length }
    }),
}
