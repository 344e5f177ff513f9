import { sql, type Updateable } from 'kysely'
import type { scimRequests } from '../../../contract/scim-requests.ts'
import { SUSPENDED_FOR } from '../../../contract/users.ts'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Tx } from '../../db/database.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import { refuseScim } from '../../http/scim-failure.ts'
import { differences } from '../../records/audit.ts'
import { ACCOUNT_CONSTRAINTS, endAccess, endCorrection, saveEmail, tellOfFactor } from '../account/index.ts'
import { LIFTED, suspendAccounts } from '../users/index.ts'
import {
  type Attributes,
  emailOf,
  employeeNumberOf,
  enterpriseOf,
  nameOf,
  phoneOf,
  positionOf,
} from './attributes.ts'
import { mapScimErrors } from './create.ts'
import { joinTeamOfDepartment } from './department.ts'
import { countEnding } from './endings.ts'
import {
  keepFreeNumber,
  linkAccount,
  type LockedProvider,
  type ManagedUser,
  rememberEnding,
  toStored,
} from './queries.ts'
import { mergeSentAttributes } from './resource.ts'

/** Part of a call that a SCIM request needs. */
export type ScimCall = Pick<
  Call<typeof scimRequests.changeUser>,
  'actor' | 'db' | 'services' | 'auditAs' | 'touches' | 'requester'
>

/**
 * Suspends a managed account for a provider and writes the audit row. Its access and email links end. Does nothing if
 * it is suspended already. Does not count it: the caller does (`countEnding`).
 * @throws {Refusal} LAST_ADMIN, LAST_ADMIN_ENDS
 */
export async function suspend(
  tx: Tx,
  call: ScimCall,
  provider: LockedProvider,
  user: ManagedUser,
): Promise<void> {
  if (!user.isActive) return
  const suspension = { suspendedFor: SUSPENDED_FOR.other, reason: `SCIM: ${provider.name}` }
  await suspendAccounts(tx, [user], suspension)
  await rememberEnding(tx, user.id, 'suspendedAt')
  await call.auditAs('user.suspend', tx, {
    target: user.loginId,
    detail: suspension,
    records: [`user/${user.id}`],
  })
}

/**
 * Lifts the suspension of a managed account, ends its access (`endAccess`), and writes the audit row, if SCIM suspended it. A
 * suspension by an administrator stays (rules/scim#active).
 */
async function lift(tx: Tx, call: ScimCall, user: ManagedUser): Promise<void> {
  if (!user.isSuspendedHere) return
  await endAccess(tx, user.id)
  await tx
    .updateTable('users')
    .set({ ...LIFTED, updatedAt: sql`now()` })
    .where('id', '=', user.id)
    .execute()
  await tx.updateTable('scimUsers').set({ suspendedAt: null }).where('userId', '=', user.id).execute()
  await call.auditAs('user.lift', tx, { target: user.loginId, records: [`user/${user.id}`] })
}

/**
 * Stores the fields of Maru that a provider changed, and writes the audit row unless nothing changes. Values that only
 * Maru changed stay. Another email of an account that the provider created is stored as `saveEmail`, which mails the
 * previous one, and starts the hold.
 * @param before attributes before the request
 * @throws {Refusal} EMAIL_TAKEN; EMPLOYEE_NUMBER_TAKEN if another account takes it concurrently
 */
async function saveFields(
  tx: Tx,
  call: ScimCall,
  user: ManagedUser,
  before: Attributes,
  after: Attributes,
): Promise<void> {
  const columns: Updateable<Database['users']> = {}
  if (nameOf(after) !== nameOf(before)) columns.name = nameOf(after)
  if (positionOf(after) !== positionOf(before)) columns.position = positionOf(after)
  const phoneNumber = phoneOf(after)
  if (phoneNumber !== phoneOf(before)) columns.phoneNumber = phoneNumber
  const number = employeeNumberOf(after)
  if (number !== employeeNumberOf(before)) {
    const free = await keepFreeNumber(tx, number, user.id)
    // A taken number leaves the present one, as a department without a team does.
    if (free !== null || number === null) columns.employeeNumber = free
  }
  const email = emailOf(after)
  // The owner of an adopted account changes its email: it opens the account, which did not come from the provider.
  const isOtherEmail = user.isMade && ![emailOf(before), user.email, ''].includes(email)
  const department = enterpriseOf(after, 'department')
  const isMoved = department !== enterpriseOf(before, 'department')
  const detail = {
    ...differences(user, { ...columns, ...(isOtherEmail && { email }) }),
    ...(isMoved && (await joinTeamOfDepartment(tx, user.id, department))),
  }
  if (Object.keys(columns).length > 0)
    await mapConstraintErrors(ACCOUNT_CONSTRAINTS, () =>
      tx
        .updateTable('users')
        .set({ ...columns, updatedAt: sql`now()` })
        .where('id', '=', user.id)
        .execute(),
    )
  if (isOtherEmail) {
    await saveEmail(tx, call, user.id, email, 'EMAIL_TAKEN')
    await endCorrection(tx, user.id)
    await tx
      .updateTable('scimUsers')
      .set({ emailChangedAt: sql<Date>`now()` })
      .where('userId', '=', user.id)
      .execute()
  }
  if (Object.keys(detail).length > 0)
    await call.auditAs('user.update', tx, { target: user.loginId, detail, records: [`user/${user.id}`] })
}

/**
 * Stores userName, external ID and attributes as the provider sent them. For an account that the provider created,
 * another external ID is another user there: links it instead, ends the access of the previous user, counts it as
 * `countEnding`, and mails the account. Writes no audit row.
 * @throws {Refusal} as `countEnding` and `mapScimErrors`
 */
async function saveIdentity(
  tx: Tx,
  call: ScimCall,
  provider: LockedProvider,
  { user, before, after, isBack = false }: Change,
): Promise<void> {
  const { userName, externalId } = after
  const attributes = toStored(mergeSentAttributes(user, before, after))
  const isOther = externalId !== user.externalId
  const isReplaced = isOther && user.externalId !== null && user.isMade
  // Its user cannot log in any more.
  if (isReplaced && !isBack) await countEnding(tx, provider)
  await mapScimErrors(async () => {
    await tx
      .updateTable('scimUsers')
      .set({ userName, externalId, attributes, withdrawnAt: null, updatedAt: sql`now()` })
      .where('userId', '=', user.id)
      .execute()
    if (!user.isMade || !(isOther || isBack)) return
    await linkAccount(tx, provider.id, user.id, externalId)
    if (isReplaced) await endAccess(tx, user.id)
    if (isOther && externalId !== null)
      await tellOfFactor(tx, call, user, 'linked', { providerName: provider.name })
  })
}

/** Change of a managed account: its attributes before and after. */
interface Change {
  user: ManagedUser
  before: Attributes
  after: Attributes
  /** True for an account that is restored: it is linked again. */
  isBack?: boolean
}

/**
 * Stores a change of a managed account that its provider has sent: the fields of Maru, and what the provider calls it.
 * Lifts a suspension by SCIM, but never suspends the account. Writes the audit rows. The caller wakes the mail job.
 * @throws {ScimRefusal} invalidValue without a userName
 * @throws {Refusal} EMAIL_TAKEN, USER_ID_TAKEN, EMPLOYEE_NUMBER_TAKEN, and as `countEnding`
 */
export async function saveUserChanges(
  tx: Tx,
  call: ScimCall,
  provider: LockedProvider,
  change: Change,
): Promise<void> {
  const { user, before, after } = change
  if (after.userName === '') refuseScim('invalidValue', 'userName is missing')
  await saveFields(tx, call, user, before, after)
  await saveIdentity(tx, call, provider, change)
  if (after.active) await lift(tx, call, user)
}
