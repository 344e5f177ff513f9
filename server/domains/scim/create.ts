import { sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { isProgramWord, isRunnersId } from '../../../contract/reserved-names.ts'
import { APPROVAL, RESTORE_DAYS } from '../../../contract/users.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Db, Tx } from '../../db/database.ts'
import { today } from '../../db/sql.ts'
import type { Call } from '../../http/handler.ts'
import { newSecret } from '../../callers/bearer-tokens.ts'
import { refuseScim } from '../../http/scim-failure.ts'
import {
  ACCOUNT_CONSTRAINTS,
  endAccess,
  findEmailHolder,
  findErasedIds,
  insertAccount,
} from '../account/index.ts'
import type { SealKeys } from '../../services/encryption.ts'
import { isWithinReach, PROVIDER_RIGHTS } from '../roles/index.ts'
import { RESTORED } from '../users/index.ts'
import {
  type Attributes,
  emailOf,
  employeeNumberOf,
  enterpriseOf,
  nameOf,
  phoneOf,
  positionOf,
} from './attributes.ts'
import { joinTeamOfDepartment } from './department.ts'
import { keepFreeNumber, linkAccount, type LockedProvider, toStored } from './queries.ts'

/**
 * Errors for violated constraints of managed accounts and groups, for `mapScimErrors`. Two accounts of a provider never
 * have the same name or ID there.
 */
const CONSTRAINTS: Record<string, ErrorCode> = {
  scim_users_name: 'USER_ID_TAKEN',
  scim_users_external_id: 'USER_ID_TAKEN',
  scim_groups_name: 'USER_ID_TAKEN',
  identities_subject: 'USER_ID_TAKEN',
  identities_user: 'USER_ID_TAKEN',
}

/**
 * Runs a change of a managed account or group, and refuses one that violates a constraint of these.
 * @throws {Refusal} USER_ID_TAKEN for a name or ID that another account or group of the provider has
 */
export const mapScimErrors = <T>(work: () => Promise<T>): Promise<T> => mapConstraintErrors(CONSTRAINTS, work)

/**
 * Refusal EMAIL_TAKEN of a user who cannot be created, because the account exists. An administrator may let the
 * provider adopt it.
 */
export class ExistingAccount extends Refusal {
  /** users.id of the account. */
  readonly userId: string
  constructor(userId: string) {
    super('EMAIL_TAKEN')
    this.userId = userId
  }
}

/**
 * Creates an approved account for a user of a provider, which the caller has locked (rules/scim#create), linked with
 * the external ID. Sends no invitation: the user logs in by the provider. The caller writes the audit row.
 * @param passwordHash hash of a random password that is not stored
 * @returns users.id, the login ID and the audit detail
 * @throws {ExistingAccount} for an email or external ID that has an account
 * @throws {ScimRefusal} invalidValue without a userName, a valid email or an affiliation
 * @throws {Refusal} USER_ID_TAKEN, EMAIL_TAKEN
 */
export async function createAccount(
  tx: Tx,
  { services }: Pick<Call, 'services'>,
  {
    provider,
    attributes,
    passwordHash,
  }: { provider: LockedProvider; attributes: Attributes; passwordHash: string },
) {
  const { userName, externalId } = attributes
  if (userName === '') refuseScim('invalidValue', 'userName is missing')
  const email = emailOf(attributes)
  if (email === '') refuseScim('invalidValue', 'neither emails nor userName has a valid email address')
  const holder = await findExistingAccount(tx, provider.id, { email, externalId })
  if (holder !== undefined) throw new ExistingAccount(holder)
  const affiliation = await findAffiliation(tx, provider, enterpriseOf(attributes, 'organization'))
  const loginId = await findFreeLoginId(tx, services.keySecret, userName)
  const account = {
    loginId,
    passwordHash,
    name: nameOf(attributes),
    position: positionOf(attributes),
    phoneNumber: phoneOf(attributes),
    employeeNumber: await keepFreeNumber(tx, employeeNumberOf(attributes), '0'),
    email,
    affiliationCode: affiliation.code,
    partnerId: affiliation.partnerId,
    roleCode: ROLE.user,
    approvalCode: APPROVAL.approved,
    validFrom: affiliation.today,
    validTo: null,
  }
  const id = await insertAccount(tx, account, services.keySecret)
  const own = {
    userId: id,
    providerId: provider.id,
    userName,
    externalId,
    isMade: true,
    attributes: toStored(attributes),
  }
  await mapScimErrors(async () => {
    await tx.insertInto('scimUsers').values(own).execute()
    await linkAccount(tx, provider.id, id, externalId)
  })
  await tx
    .deleteFrom('scimCandidates')
    .where('providerId', '=', provider.id)
    .where(sql<boolean>`lower(user_name) = lower(${userName})`)
    .execute()
  const { roleCode, approvalCode, affiliationCode } = account
  const team = await joinTeamOfDepartment(tx, id, enterpriseOf(attributes, 'department'))
  return { id, loginId, detail: { roleCode, approvalCode, affiliationCode, ...team } }
}

/**
 * Returns users.id of the account of a user whom the provider has withdrawn, while it can be restored: its email stays
 * reserved until then. Deletes the management and the link of accounts that can no longer be restored.
 * @returns undefined if there is none
 * @throws {ScimRefusal} uniqueness for a user whom the provider has, or whom an administrator has withdrawn; and for a
 * withdrawn user with another external ID, who is another person
 */
export async function findWithdrawn(
  tx: Tx,
  providerId: string,
  { userName, externalId }: Attributes,
): Promise<string | undefined> {
  const rows = await tx
    .selectFrom('scimUsers as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .select([
      'u.id',
      sql<boolean>`coalesce(u.withdrawn_at < now() - make_interval(days => ${RESTORE_DAYS}), false)`.as(
        'isGone',
      ),
      sql<boolean>`coalesce(u.withdrawn_at = s.withdrawn_at, false) and ${isWithinReach(PROVIDER_RIGHTS, 'u')}
        and coalesce(s.external_id = ${externalId}, true)`.as('isRestorable'),
    ])
    .where('s.providerId', '=', providerId)
    .where(sql<boolean>`(lower(s.user_name) = lower(${userName}) or s.external_id = ${externalId})`)
    .execute()
  const [row, ...more] = rows.filter(({ isGone }) => !isGone)
  if (row !== undefined && (more.length > 0 || !row.isRestorable))
    refuseScim('uniqueness', 'the user exists', 409)
  for (const { id } of rows.filter(({ isGone }) => isGone)) {
    await linkAccount(tx, providerId, id, null)
    await tx.deleteFrom('scimUsers').where('userId', '=', id).execute()
  }
  return row?.id
}

/**
 * Restores a withdrawn account, and ends what is left of its access (`endAccess`). Writes no audit row.
 * @param id users.id
 * @throws {Refusal} EMAIL_TAKEN if another account has its email
 */
export async function restoreAccount(tx: Tx, id: string): Promise<void> {
  await endAccess(tx, id)
  await mapConstraintErrors(ACCOUNT_CONSTRAINTS, () =>
    tx
      .updateTable('users')
      .set({ ...RESTORED, updatedAt: sql`now()` })
      .where('id', '=', id)
      .execute(),
  )
}

/**
 * Returns users.id of the account that is linked with the external ID at the provider, or else reserves the email;
 * undefined if there is none.
 */
async function findExistingAccount(
  tx: Tx,
  providerId: string,
  { email, externalId }: { email: string; externalId: string | null },
) {
  const linked = await tx
    .selectFrom('identities')
    .select('userId')
    .where('providerId', '=', providerId)
    .where('subject', '=', externalId ?? '')
    .executeTakeFirst()
  return linked?.userId ?? (await findEmailHolder(tx, email))?.id
}

/**
 * Returns the open affiliation that has the code or name of the organization, ignoring case, or else the one for new
 * accounts of the provider, with its default partner (null if it has none that is active) and the current day. Locks it
 * until the transaction ends.
 * @throws {ScimRefusal} invalidValue if neither is open
 */
async function findAffiliation(tx: Tx, { scimAffiliationCode }: LockedProvider, organization: string) {
  const rows = await tx
    .selectFrom('codes as c')
    .leftJoin('partners as p', (join) =>
      join.onRef('p.id', '=', 'c.defaultPartnerId').on('p.stoppedAt', 'is', null),
    )
    .select([
      'c.code',
      'p.id as partnerId',
      sql<string>`${today}::text`.as('today'),
      sql<boolean>`c.code is not distinct from ${scimAffiliationCode}`.as('isUsual'),
    ])
    .where('c.groupCode', '=', CODE_GROUP.affiliation)
    .where('c.closedAt', 'is', null)
    .where(
      sql<boolean>`(c.code = ${scimAffiliationCode} or lower(${organization}) in (lower(c.code), lower(c.name_ko), lower(c.name_en)))`,
    )
    .orderBy('c.code')
    .forKeyShare('c')
    .execute()
  const found = rows.find(({ isUsual }) => !isUsual) ?? rows[0]
  return found ?? refuseScim('invalidValue', 'choose an open affiliation for new accounts in the portal', 409)
}

/** Most characters of a login ID. */
const MAX_ID_CHARACTERS = 20
/** Highest number that is appended to a login ID in use. */
const MAX_ID_NUMBER = 99

/**
 * Returns a login ID that no account has or had, for a userName: its part before the @, with a number up to
 * MAX_ID_NUMBER if that is in use, or else random characters (rules/scim#create). Does not reserve it.
 */
async function findFreeLoginId(db: Db, keys: SealKeys, userName: string): Promise<string> {
  const local = (userName.split('@')[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9._-]/g, '')
  const stem = local.length >= 4 ? local : `user-${local}`
  const withNumber = (number: string) => stem.slice(0, MAX_ID_CHARACTERS - number.length) + number
  const numbers = Array.from({ length: MAX_ID_NUMBER - 1 }, (_, index) => String(index + 2))
  // Digests of erased IDs take time, and most names are free without a number.
  for (const ends of [[''], numbers]) {
    const usable = ends.map(withNumber).filter((id) => !isRunnersId(id) && !isProgramWord(id))
    const taken = await db
      .selectFrom('loginIds')
      .select('loginId')
      .where('loginId', 'in', [...usable, ''])
      .execute()
    const used = new Set([...taken.map(({ loginId }) => loginId), ...(await findErasedIds(db, keys, usable))])
    const free = usable.find((id) => !used.has(id))
    if (free !== undefined) return free
  }
  const random = newSecret()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return withNumber(`-${random.slice(0, 8)}`)
}

/**
 * Stores that a provider may adopt an account, which an administrator decides; a stored one gets the new name, ID and
 * time. Stores nothing if a provider manages the account, or it is withdrawn or has a privileged permission.
 */
export async function storeCandidate(
  db: Db,
  providerId: string,
  { userId, userName, externalId }: { userId: string; userName: string; externalId: string | null },
): Promise<void> {
  await db
    .insertInto('scimCandidates')
    .columns(['providerId', 'userId', 'userName', 'externalId'])
    .expression((eb) =>
      eb
        .selectFrom('users as u')
        .select([
          sql`${providerId}::bigint`.as('p'),
          'u.id',
          sql`${userName}::text`.as('n'),
          sql`${externalId}::text`.as('e'),
        ])
        .where('u.id', '=', userId)
        .where('u.withdrawnAt', 'is', null)
        .where(isWithinReach(PROVIDER_RIGHTS, 'u'))
        .where(sql<boolean>`not exists (select from scim_users s where s.user_id = u.id)`),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['providerId', 'userId'])
        .doUpdateSet({ userName, externalId, askedAt: sql<Date>`now()` }),
    )
    .execute()
}
