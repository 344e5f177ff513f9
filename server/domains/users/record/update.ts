import { type Transaction, type Updateable, sql } from 'kysely'
import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import { refuse } from '../../../../contract/errors.ts'
import { type Actor, canGrant, type FunctionName, reaches, ROLE } from '../../../../contract/permissions.ts'
import { APPROVAL, type updateUser as endpoint } from '../../../../contract/users.ts'
import { mapConstraintErrors } from '../../../db/constraints.ts'
import { mayLogIn } from '../../../db/sql.ts'
import type { Database } from '../../../db/types.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import { differences } from '../../../services/audit.ts'
import { refuseErasedIds } from '../../../services/erased-ids.ts'
import { ACCOUNT_CONSTRAINTS, endAccess, moveLoginFailures } from '../../account/index.ts'
import {
  approveOpenChanges,
  approveOpenRequests,
  askForAffiliation,
  withdrawOpenChange,
} from '../../approvals/index.ts'
import { requirePlaceable } from '../../common/index.ts'
import { endFormerControl, functionsOf } from '../../roles/index.ts'
import { keepingAdmins } from '../access/last-admin.ts'
import { holdChoices, lockUser } from '../queries.ts'
import { type EditedFields, versionOf } from './version.ts'

type Input = ParsedInputOf<typeof endpoint>
type User = Awaited<ReturnType<typeof lockUser>>

/** Changes of their own ID that users may make in RENAME_DAYS. */
const RENAMES = 3
const RENAME_DAYS = 30

/** Columns that open or close an account. */
const OPENS: ReadonlySet<string> = new Set([
  'login_id',
  'role_code',
  'approval_code',
  'valid_from',
  'valid_to',
])

/** Changes by the admin card. The schema requires all of its fields or none. */
interface Approval {
  role_code: string
  approval_code: string
  valid_from: string
  valid_to: string
  partner_id: string
}

/**
 * Edits a user: basic fields of the caller's own record after password re-entry (rules/users#own-page), or the record of another user whom
 * the actor may administer (rules/roles#reach).
 */
export const updateUser: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services } = call
  const isOwn = input.originalUserId === actor.userId
  checkRight(call, input, isOwn)

  const asked = await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, input.originalUserId, isOwn)
    if (input.version !== undefined && versionOf(recordOf(user), isOwn) !== input.version)
      refuse('RECORD_CHANGED')
    if (input.email !== user.email) refuse('EMAIL_READ_ONLY')
    // A user in a closed affiliation may stay; no user is approved into one (rules/affiliations#close).
    const isApproved = input.approvalCode === APPROVAL.approved && user.approval_code !== APPROVAL.approved
    const present = isApproved ? undefined : user.affiliation_code
    const approval = await readApproval(tx, input, present, user.partner_id)
    if (approval === null) await requirePlaceable(tx, input.affiliationCode, present)

    const isMoved = input.affiliationCode !== user.affiliation_code
    // A partner code is never removed without an explicit choice (rules/users#affiliation-change).
    const asks = isMoved && approval === null && user.partner_id !== null
    if (asks && !isOwn) refuse('PARTNER_CHOICE_MISSING')
    const changes = {
      login_id: input.userId,
      affiliation_code: asks ? user.affiliation_code : input.affiliationCode,
      position: input.position,
      name: input.name,
      phone_number: input.phoneNumber,
      ...approval,
    }
    const save = () => saveUser(tx, user.id, changes)
    // The last 관리자 who could log in keeps role, approval and validity period (rules/roles#last-administrator).
    const saved = await (approval !== null && user.role_code === ROLE.admin
      ? keepingAdmins(tx, save)
      : save())
    if (input.userId !== user.login_id) {
      if (isOwn) await refuseManyRenames(tx, user.id)
      await refuseErasedIds(tx, services.keySecret, [input.userId])
      await moveLoginFailures(tx, user.login_id, input.userId)
    }
    if (approval !== null && !mayGive(actor, user, { ...approval, functions: saved.functions }))
      refuse('FORBIDDEN', { raisesRights: true })
    if (!isOwn && Object.keys(differences(user, changes)).some((column) => OPENS.has(column)))
      call.requireConfirmation('always')
    // Sessions of an account that may no longer log in end permanently: no later extension makes them valid again.
    if (!user.may_log_in || !saved.mayLogIn) await endAccess(tx, user.id)
    if (approval !== null) {
      await endFormerControl(tx, call, [{ id: user.id, before: user.role_code, after: approval.role_code }])
    }
    if (approval?.approval_code === APPROVAL.approved) {
      // Decides the request of an applicant who is approved here and notifies them, as on the page of requests
      // (design/accounts#approval-requests).
      await approveOpenRequests(tx, [user.id], { deciderId: actor.id, settings: services.settings })
    }
    const person = { ...user, ...changes }
    const request = isMoved
      ? await settleChange(tx, call, person, { to: input.affiliationCode, asks, isOwn })
      : {}
    await call.audit(tx, {
      target: input.userId,
      detail: { ...differences(user, changes), ...(asks && { affiliationRequest: input.affiliationCode }) },
    })
    return request
  })
  services.mail.wake()
  return { userId: input.userId, ...asked }
}

/**
 * Refuses to change the user's own ID too often: each ID stays reserved for them (rules/users#user-id). The caller must lock the row.
 * @throws {Refusal} RENAMES_USED
 */
async function refuseManyRenames(tx: Transaction<Database>, id: string): Promise<void> {
  const { rows } = await sql<{ renames: number }>`
    select count(*)::int as renames from audit_log
    where records && array['user/' || ${id}::bigint] and action = 'user.update' and actor_id = ${id}
      and detail -> 'login_id' ->> 'before' is not null
      and at > now() - make_interval(days => ${sql.lit(RENAME_DAYS)})`.execute(tx)
  if ((rows[0]?.renames ?? 0) >= RENAMES) refuse('RENAMES_USED')
}

/** Returns whether the actor may give the role. A user keeps a present role, whatever else is changed; an approval grants the role. */
function mayGive(
  actor: Actor,
  before: User,
  { role_code, approval_code, functions }: Approval & { functions: readonly FunctionName[] },
): boolean {
  const isGiven =
    role_code !== before.role_code ||
    (approval_code === APPROVAL.approved && before.approval_code !== APPROVAL.approved)
  return isGiven ? canGrant(actor, { roleCode: role_code, functions }) : reaches(actor, { functions })
}

/**
 * Settles the open affiliation request of a user who requests another affiliation, or was given one.
 * @returns the request if the user makes one now
 */
async function settleChange(
  tx: Transaction<Database>,
  { actor, services }: Call<typeof endpoint>,
  person: Parameters<typeof askForAffiliation>[1],
  { to, asks, isOwn }: { to: string; asks: boolean; isOwn: boolean },
): Promise<{ requestId?: string }> {
  if (asks) return { requestId: await askForAffiliation(tx, person, to) }
  if (isOwn) await withdrawOpenChange(tx, person.id)
  else await approveOpenChanges(tx, [person.id], { deciderId: actor.id, settings: services.settings })
  return {}
}

const recordOf = (user: User): EditedFields => ({
  userId: user.login_id,
  affiliationCode: user.affiliation_code,
  position: user.position,
  name: user.name,
  phoneNumber: user.phone_number,
  email: user.email,
  validFrom: user.valid_from ?? '',
  validTo: user.valid_to ?? '',
  partnerCode: user.partner_code ?? '',
  roleCode: user.role_code,
  approvalCode: user.approval_code,
})

function checkRight(call: Call<typeof endpoint>, input: Input, isOwn: boolean): void {
  if (isOwn) {
    // Users cannot change their own role, approval or validity period (rules/roles#own-account).
    if (input.approvalCode !== undefined) refuse('FORBIDDEN', { raisesRights: true })
    return call.requireConfirmation('gate')
  }
  if (!call.mayActOnOthers) refuse('FORBIDDEN')
}

async function readApproval(
  tx: Transaction<Database>,
  input: Input,
  present: string | undefined,
  presentPartner: string | null,
): Promise<Approval | null> {
  const { approvalCode, roleCode, partnerCode, validFrom, validTo } = input
  if (
    approvalCode === undefined ||
    roleCode === undefined ||
    partnerCode === undefined ||
    validFrom === undefined ||
    validTo === undefined
  ) {
    return null
  }
  const { affiliationCode } = input
  const partnerId = await holdChoices(tx, { affiliationCode, roleCode, partnerCode }, present, presentPartner)
  return {
    role_code: roleCode,
    approval_code: approvalCode,
    valid_from: validFrom,
    valid_to: validTo,
    partner_id: partnerId,
  }
}

/** @returns whether the account may log in after the change, and the permissions of its role */
function saveUser(tx: Transaction<Database>, id: string, changes: Updateable<Database['users']>) {
  return mapConstraintErrors(ACCOUNT_CONSTRAINTS, () =>
    tx
      .updateTable('users')
      .set({ ...changes, updated_at: sql`now()` })
      .where('id', '=', id)
      .returning([mayLogIn().as('mayLogIn'), functionsOf(sql.ref('users.role_code')).as('functions')])
      .executeTakeFirstOrThrow(),
  )
}
