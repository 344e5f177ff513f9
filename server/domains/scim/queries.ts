import { type RawBuilder, sql } from 'kysely'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import { isWithinReach, PROVIDER_RIGHTS } from '../roles/index.ts'
import { type Attributes, type Contact, TEXTS } from './attributes.ts'
import type { Filterable, Filterables } from './filter.ts'

/** Attributes of a user as they are stored, besides userName, externalId and active. */
interface Stored {
  texts?: [string, string][]
  emails?: Contact[]
  phoneNumbers?: Contact[]
}

/** Returns the attributes of a user as the JSON text that the database stores. */
export const toStored = ({ texts, emails, phoneNumbers }: Attributes): string =>
  JSON.stringify({ texts: [...texts], emails, phoneNumbers } satisfies Stored)

/**
 * Returns the query for the accounts that a provider manages, as the rows `s` of scim_users and `u` of users, without
 * withdrawn ones.
 */
export const queryManagedAccounts = (db: Db, providerId: string) =>
  db
    .selectFrom('scimUsers as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .where('s.providerId', '=', providerId)
    .where('u.withdrawnAt', 'is', null)

/**
 * Returns the query for the accounts that a provider manages, with the columns that a resource shows. `isMade` is true
 * if the provider created the account; `isSuspendedHere` if SCIM suspended it; `isReached` if a provider may change it.
 */
export const queryUserResources = (db: Db, providerId: string) =>
  queryManagedAccounts(db, providerId).select([
    'u.id',
    'u.loginId',
    'u.name',
    'u.email',
    'u.phoneNumber',
    'u.position',
    'u.employeeNumber',
    'u.roleCode',
    'u.language',
    's.userName',
    's.externalId',
    's.isMade',
    's.createdAt',
    updatedAt.as('updatedAt'),
    sql<boolean>`u.suspended_at is null`.as('isActive'),
    // Compared in the database, whose times are finer.
    sql<boolean>`coalesce(u.suspended_at = s.suspended_at, false)`.as('isSuspendedHere'),
    isWithinReach(PROVIDER_RIGHTS, 'u').as('isReached'),
    sql<Stored>`s.attributes`.as('stored'),
    sql<{ value: string; display: string }[]>`coalesce((
        select json_agg(json_build_object('value', 'g' || g.id, 'display', g.display_name) order by g.id)
        from scim_group_members m join scim_groups g on g.id = m.group_id where m.user_id = u.id), '[]')`.as(
      'groups',
    ),
  ])

/** Account that a provider manages. */
export type ManagedUser = Awaited<
  ReturnType<ReturnType<typeof queryUserResources>['executeTakeFirstOrThrow']>
>

/** Pattern of a positive ID. */
const ID = /^[1-9][0-9]{0,17}$/

/** Returns whether a value is the text of a positive ID. */
export const isId = (text: unknown): text is string => typeof text === 'string' && ID.test(text)

/**
 * Returns an employee number, or null if another account has it that is not withdrawn, because an old account must not
 * stop a provider (rules/scim#fields). Null for null.
 * @param userId users.id of the account that gets it, which may have it already
 */
export async function keepFreeNumber(db: Db, number: string | null, userId: string): Promise<string | null> {
  if (number === null) return null
  const holder = await db
    .selectFrom('users')
    .select('id')
    .where('employeeNumber', '=', number)
    .where('withdrawnAt', 'is', null)
    .where('id', '<>', userId)
    .executeTakeFirst()
  return holder === undefined ? number : null
}

/**
 * Returns an account that the provider manages.
 * @param id users.id as the request has it
 * @throws {Refusal} USER_NOT_FOUND, also for an account of another provider or a withdrawn one
 */
export async function findManaged(db: Db, providerId: string, id: string): Promise<ManagedUser> {
  const user = isId(id)
    ? await queryUserResources(db, providerId).where('u.id', '=', id).executeTakeFirst()
    : undefined
  return user ?? refuse('USER_NOT_FOUND')
}

/**
 * Locks an account that the provider manages and may change until the transaction ends, and returns it.
 * @param id users.id as the request has it
 * @throws {Refusal} USER_NOT_FOUND as `findManaged`; FORBIDDEN for an account with a privileged permission
 */
export async function lockManaged(tx: Tx, providerId: string, id: string): Promise<ManagedUser> {
  if (!isId(id)) refuse('USER_NOT_FOUND')
  const user = await queryUserResources(tx, providerId)
    .where('u.id', '=', id)
    .forNoKeyUpdate(['u', 's'])
    .executeTakeFirst()
  if (user === undefined) return refuse('USER_NOT_FOUND')
  return user.isReached ? user : refuse('FORBIDDEN')
}

/**
 * Locks a provider until the transaction ends, and returns it with its settings for SCIM. Its changes of users come one
 * at a time, so that two requests cannot create one user, and the limit of suspensions is exact. `isReleased` is true
 * for an hour after a release.
 * @throws {Refusal} `notFound` if the provider was deleted
 */
export async function lockProvider(
  tx: Tx,
  providerId: string,
  // Deleted since the token was found.
  notFound: ErrorCode = 'SCIM_TOKEN_REQUIRED',
) {
  const provider = await tx
    .selectFrom('identityProviders')
    .select([
      'id',
      'name',
      'scimAffiliationCode',
      'scimStoppedAt',
      sql<boolean>`coalesce(scim_released_until > now(), false)`.as('isReleased'),
    ])
    .where('id', '=', providerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return provider ?? refuse(notFound)
}

/**
 * Replaces the link of an account with an identity at a provider. Writes no audit row and sends no mail.
 * @param subject ID of the identity; null to remove the link
 */
export async function linkAccount(
  tx: Tx,
  providerId: string,
  userId: string,
  subject: string | null,
): Promise<void> {
  const links = tx.deleteFrom('identities').where('userId', '=', userId)
  await links.where('providerId', '=', providerId).execute()
  if (subject !== null) await tx.insertInto('identities').values({ providerId, subject, userId }).execute()
}

/**
 * Stores that the provider has just suspended or withdrawn an account. The provider can take back only such a
 * suspension or withdrawal.
 * @param userId users.id
 */
export const rememberEnding = (tx: Tx, userId: string, column: 'suspendedAt' | 'withdrawnAt') =>
  tx
    .updateTable('scimUsers as s')
    .from('users as u')
    .whereRef('u.id', '=', 's.userId')
    .where('s.userId', '=', userId)
    .set((eb) => ({ [column]: eb.ref(`u.${column}`) }))
    .execute()

/** Provider that a request has locked. */
export type LockedProvider = Awaited<ReturnType<typeof lockProvider>>

/** Returns the SQL expression for a text that the provider sent, by its path in TEXTS. */
const storedText = (
  path: string,
): RawBuilder<unknown> => sql`(select t ->> 1 from jsonb_array_elements(s.attributes -> 'texts') t
  where t ->> 0 = ${path})`

/** SQL expression for the time of the last change of an account, by the provider or in Maru. */
const updatedAt = sql<Date>`greatest(s.updated_at, u.updated_at)`

/** Attributes that a filter of users may name, for `listUsers`. Emails are compared with that of Maru. */
export const USER_FILTERS: Filterables = new Map<string, Filterable>([
  ...TEXTS.map((path) => [path.toLowerCase(), { text: storedText(path) }] as const),
  ['username', { text: sql`s.user_name` }],
  ['externalid', { text: sql`s.external_id`, isExact: true }],
  ['id', { text: sql`u.id::text`, isExact: true }],
  ['active', { text: sql`(u.suspended_at is null)`, type: 'flag' }],
  ['emails', { text: sql`u.email` }],
  ['emails.value', { text: sql`u.email` }],
  ['emails.type', { text: sql`'work'` }],
  ['emails.primary', { text: sql`true`, type: 'flag' }],
  ['title', { text: sql`u.position` }],
  ['meta.created', { text: sql`s.created_at`, type: 'time' }],
  ['meta.lastmodified', { text: updatedAt, type: 'time' }],
])
