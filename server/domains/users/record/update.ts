import { versionOf as digestOf } from '../../../db/version.ts'
import { type Updateable, sql } from 'kysely'
import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import { refuse } from '../../../../contract/errors.ts'
import { type Actor, can, canGrant, reaches, type Rights, ROLE } from '../../../../contract/permissions.ts'
import { APPROVAL, type updateUser as endpoint } from '../../../../contract/users.ts'
import type { CustomField } from '../../../../contract/custom-fields.ts'
import { mapConstraintErrors } from '../../../db/constraints.ts'
import { mayLogIn } from '../../../db/sql.ts'
import type { Tx } from '../../../db/database.ts'
import type { Database } from '../../../db/types.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import { differences } from '../../../records/audit.ts'
import { ACCOUNT_CONSTRAINTS, endAccess, moveLoginFailures, refuseErasedIds } from '../../account/index.ts'
import {
  approveOpenChanges,
  approveOpenRequests,
  askForAffiliation,
  withdrawOpenChange,
} from '../../approvals/index.ts'
import { endOf, requirePhone, requirePlaceable, requirePosition } from '../../common/index.ts'
import {
  endFormerControl,
  functionsOf,
  keepingAdmins,
  requireInBranch,
  roleGrantDetail,
  spanOf,
} from '../../roles/index.ts'
import { changeTeams } from '../../teams/index.ts'
import { type Details, planDetails, seenFields, shownOf } from './details.ts'
import { holdChoices, lockUser } from '../queries.ts'

/** Fields of the two cards of the user form: the basic card and the admin card. */
type EditedFields = Record<
  | 'userId'
  | 'affiliationCode'
  | 'position'
  | 'name'
  | 'phoneNumber'
  | 'email'
  | 'validFrom'
  | 'validTo'
  | 'partnerCode'
  | 'roleCode'
  | 'approvalCode',
  string
>

/** Teams of a user, which the form of an administrator edits too. */
interface EditedTeams {
  teamId: string
  otherTeamIds: readonly string[]
}

/** Returns the fields of the basic card. */
export const basicFields = ({
  userId,
  affiliationCode,
  position,
  name,
  phoneNumber,
  email,
}: EditedFields) => ({ userId, affiliationCode, position, name, phoneNumber, email })

/** Returns the values of the fields that only the form of an administrator edits: the teams and the admin card. */
const adminFields = (user: EditedFields & EditedTeams) => [
  user.teamId,
  user.otherTeamIds,
  user.validFrom,
  user.validTo,
  user.partnerCode,
  user.roleCode,
  user.approvalCode,
]

/**
 * Returns the version of a record: a digest of the fields that its form edits. A login or a new password does not
 * change it.
 * @param isOwn true for the caller's own record, whose form has only the basic card
 * @param fields the fields that the caller sees: a digest of others would confirm a guess
 */
export function versionOf(
  user: EditedFields & EditedTeams & Details,
  isOwn: boolean,
  fields: readonly CustomField[],
): string {
  return digestOf([
    ...Object.values(basicFields(user)),
    ...(isOwn ? [] : adminFields(user)),
    ...Object.values(shownOf(user, fields)),
  ])
}

/** Input of an edit: the fields of the form and `originalUserId`, the ID before the edit. */
type Input = ParsedInputOf<typeof endpoint>
/** Locked row of the user before the edit. */
type User = Awaited<ReturnType<typeof lockUser>>

/** Most changes of their own ID that users may make in RENAME_DAYS days. */
const RENAMES = 3
/** Days in which the changes of an ID are counted. */
const RENAME_DAYS = 30

/** Columns whose change opens or closes an account, and therefore needs reauthentication. */
const OPENING_COLUMNS: ReadonlySet<string> = new Set([
  'loginId',
  'roleCode',
  'approvalCode',
  'validFrom',
  'validTo',
])

/** Values of the admin card for the row of the user. The schema requires all of its fields or none. */
interface Approval {
  roleCode: string
  approvalCode: string
  validFrom: string
  /** Null for no end. */
  validTo: string | null
  partnerId: string
}

/**
 * Edits a user: basic fields of the caller's own record after password re-entry (rules/users#own-page), or the record
 * of another user whom the actor may administer (rules/roles#reach). Another affiliation of the caller's own record may
 * become a request instead (rules/users#affiliation-change). Writes the audit row. Ends the sessions of an account that
 * may not log in before or after the edit, and the access of former controllers. Approves the open requests of a user
 * who is approved or moved. Wakes the mail job.
 * @returns `requestId` if the caller requested another affiliation
 * @throws {Refusal} RECORD_CHANGED if the version differs; EMAIL_READ_ONLY; PROFILE_READ_ONLY; PARTNER_CHOICE_MISSING
 * if another user with a partner moves without the admin card; USER_ID_TAKEN, EMPLOYEE_NUMBER_TAKEN, RENAMES_USED;
 * FORBIDDEN for a role that the actor may not grant and for a move out of reach; PASSWORD_CHECK_REQUIRED for the own
 * record; CONFIRMATION_REQUIRED for another user's ID, role, approval, validity, or move if the affiliation is a permission; and as
 * `lockUser`, `holdChoices`, `keepingAdmins`, `planDetails` and `changeTeams`
 */
export const updateUser: Handler<typeof endpoint> = async (call, input) => {
  const { db, actor, services } = call
  const isOwn = input.originalUserId === actor.userId
  checkRight(call, input, isOwn)

  const asked = await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, input.originalUserId, isOwn)
    if (
      input.version !== undefined &&
      versionOf(recordOf(user), isOwn, seenFields(call, actor)) !== input.version
    )
      refuse('RECORD_CHANGED')
    requirePhone(call, input.phoneNumber, user.phoneNumber)
    requirePosition(call, input.position, user.position)
    if (input.email !== user.email) refuse('EMAIL_READ_ONLY')
    const isMoved = input.affiliationCode !== user.affiliationCode
    if (isMoved && !isOwn) requireInBranch(actor, input.affiliationCode)
    const isRenamed = input.name !== user.name || input.position !== user.position
    if (isOwn && isRenamed && isProfileReadOnly(call, actor)) refuse('PROFILE_READ_ONLY')
    // A user in a closed affiliation may stay; no user is approved into one (rules/affiliations#close).
    const isApproved = input.approvalCode === APPROVAL.approved && user.approvalCode !== APPROVAL.approved
    const present = isApproved ? undefined : user.affiliationCode
    const approval = await readApproval(tx, call, input, present, user.partnerId)
    if (approval === null) await requirePlaceable(tx, input.affiliationCode, present)

    // A partner code is never removed without an explicit choice (rules/users#affiliation-change). The holder of a branch role does not
    // move on their own either, because the affiliation is a permission (rules/roles#branch-holders); nor do people of another company.
    const asks =
      isMoved &&
      approval === null &&
      (user.partnerId !== null || (isOwn && (user.isBound || actor.company !== null)))
    if (asks && !isOwn) refuse('PARTNER_CHOICE_MISSING')
    if (isMoved && !isOwn) {
      if (!user.isMovable) refuse('FORBIDDEN', { raisesRights: true })
      if (user.isBound) call.requireConfirmation('always')
    }
    const changes = {
      loginId: input.userId,
      affiliationCode: asks ? user.affiliationCode : input.affiliationCode,
      position: input.position,
      name: input.name,
      phoneNumber: input.phoneNumber,
      ...approval,
    }
    const details = planDetails(call, input, user, isOwn)
    const save = () => saveUser(tx, user.id, { ...changes, ...details.columns })
    // The last 관리자 who could log in keeps role, approval, validity period and company (rules/roles#last-administrator).
    const costsAdmins = user.roleCode === ROLE.admin && (approval !== null || isMoved)
    const saved = await (costsAdmins ? keepingAdmins(tx, save) : save())
    if (input.userId !== user.loginId) {
      if (isOwn) await refuseManyRenames(tx, user.id)
      await refuseErasedIds(tx, services.keySecret, [input.userId])
      await moveLoginFailures(tx, user.loginId, input.userId)
    }
    if (approval !== null && !mayAssignRole(actor, user, { ...approval, ...saved }))
      refuse('FORBIDDEN', { raisesRights: true })
    if (!isOwn && Object.keys(differences(user, changes)).some((column) => OPENING_COLUMNS.has(column)))
      call.requireConfirmation('always')
    // Sessions of an account that may no longer log in end permanently: no later extension makes them valid again.
    if (!user.mayLogIn || !saved.mayLogIn) await endAccess(tx, user.id)
    const after = approval?.roleCode ?? user.roleCode
    await endFormerControl(tx, call, [
      {
        id: user.id,
        before: user.roleCode,
        after,
        isMoved: user.isBound && changes.affiliationCode !== user.affiliationCode,
        wasOutside: user.isOutside,
      },
    ])
    if (approval?.approvalCode === APPROVAL.approved) {
      // Decides the request of an applicant who is approved here and notifies them, as on the page of requests
      // (design/accounts#approval-requests).
      await approveOpenRequests(tx, [user.id], { deciderId: actor.id, settings: services.settings })
    }
    const person = { ...user, ...changes }
    const request = isMoved
      ? await settleChange(tx, call, person, { to: input.affiliationCode, asks, isOwn })
      : {}
    const { affiliationCode } = changes
    const teams = await changeTeams(tx, actor, user, { ...input, affiliationCode })
    await call.audit(tx, {
      target: input.userId,
      detail: {
        ...differences(user, changes),
        ...details.audited,
        ...teams,
        ...(approval !== null &&
          roleGrantDetail(call, { ...input, ...approval }, isApproved ? '' : user.roleCode)),
        ...(asks && { affiliationRequest: input.affiliationCode }),
        ...(isMoved && !asks && user.isBound && { branchRole: user.roleCode }),
      },
      records: [`user/${user.id}`],
    })
    return request
  })
  services.mail.wake()
  return { userId: input.userId, ...asked }
}

/**
 * Returns whether the caller's own name and position are maintained by others (rules/users#name-and-position). False
 * for callers who may change users: a company may have only one of them.
 */
export const isProfileReadOnly = ({ services }: Pick<Call, 'services'>, actor: Actor) =>
  services.settings.now().profileEditors === 'hr' && !can(actor, 'autho_user_manage')

/**
 * Refuses the user's own change of ID after RENAMES changes in RENAME_DAYS days: each ID stays reserved for them
 * (rules/users#user-id). Changes by others do not count. The caller must lock the row.
 * @throws {Refusal} RENAMES_USED
 */
async function refuseManyRenames(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql<{ renames: number }>`
    select count(*)::int as renames from audit_log
    where records && array['user/' || ${id}::bigint] and action = 'user.update' and actor_id = ${id}
      and detail -> 'loginId' ->> 'before' is not null
      and at > now() - make_interval(days => ${sql.lit(RENAME_DAYS)})`.execute(tx)
  if ((rows[0]?.renames ?? 0) >= RENAMES) refuse('RENAMES_USED')
}

/**
 * Returns whether the actor may save this role for a user. The actor must be able to grant a changed role, or the role
 * of an account that is approved now. An unchanged role must be within reach.
 */
function mayAssignRole(
  actor: Actor,
  before: User,
  { roleCode, approvalCode, functions, span }: Approval & Rights,
): boolean {
  const isGiven =
    roleCode !== before.roleCode ||
    (approvalCode === APPROVAL.approved && before.approvalCode !== APPROVAL.approved)
  return isGiven ? canGrant(actor, { roleCode, functions, span }) : reaches(actor, { functions, span })
}

/**
 * Settles a user's open affiliation request after an edit that changes the affiliation. Replaces it if the user
 * requests another affiliation (`asks`), and cancels it after the user's own edit. After an administrator's edit,
 * approves it if the user has the requested affiliation.
 * @param to requested or new affiliation
 * @returns the ID of a new request; empty without one
 */
async function settleChange(
  tx: Tx,
  { actor, services }: Call<typeof endpoint>,
  person: Parameters<typeof askForAffiliation>[1],
  { to, asks, isOwn }: { to: string; asks: boolean; isOwn: boolean },
): Promise<{ requestId?: string }> {
  if (asks) return { requestId: await askForAffiliation(tx, person, to) }
  if (isOwn) await withdrawOpenChange(tx, person.id)
  else await approveOpenChanges(tx, [person.id], { deciderId: actor.id, settings: services.settings })
  return {}
}

/** Returns the row of a user in the form of a record, with empty texts for missing dates and partner codes. */
const recordOf = (user: User): EditedFields & EditedTeams & Details => ({
  ...user,
  userId: user.loginId,
  validFrom: user.validFrom ?? '',
  validTo: user.validTo ?? '',
  partnerCode: user.partnerCode ?? '',
})

/**
 * Refuses an edit that the caller may not make at all, before the database is read. An edit of the own record needs
 * password re-entry and must contain neither admin card nor teams.
 * @throws {Refusal} FORBIDDEN; PASSWORD_CHECK_REQUIRED or CONFIRMATION_REQUIRED for the own record
 */
function checkRight(call: Call<typeof endpoint>, input: Input, isOwn: boolean): void {
  if (isOwn) {
    // Users cannot change their own role, approval or validity period (rules/roles#own-account).
    if (input.approvalCode !== undefined) refuse('FORBIDDEN', { raisesRights: true })
    if (input.teamId !== undefined || input.otherTeamIds !== undefined) refuse('FORBIDDEN')
    return call.requireConfirmation('gate')
  }
  if (!call.mayActOnOthers) refuse('FORBIDDEN')
}

/**
 * Returns the values of the admin card, and locks their role and partner. Returns null if the form has no admin card.
 * @param present affiliation that the user may keep even if closed; undefined if a closed one is refused
 * @throws {Refusal} as `holdChoices`
 * @throws {InputRefusal} as `endOf`
 */
async function readApproval(
  tx: Tx,
  call: Call<typeof endpoint>,
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
  return { roleCode, approvalCode, validFrom, validTo: endOf(call, validTo), partnerId }
}

/**
 * Writes the changes of a user.
 * @returns whether the account may log in after the change, and the permissions of its role
 * @throws {Refusal} USER_ID_TAKEN, EMPLOYEE_NUMBER_TAKEN
 */
function saveUser(tx: Tx, id: string, changes: Updateable<Database['users']>) {
  return mapConstraintErrors(ACCOUNT_CONSTRAINTS, () =>
    tx
      .updateTable('users')
      .set({ ...changes, updatedAt: sql`now()` })
      .where('id', '=', id)
      .returning([
        mayLogIn().as('mayLogIn'),
        functionsOf(sql.ref('users.roleCode')).as('functions'),
        spanOf(sql.ref('users.roleCode')).as('span'),
      ])
      .executeTakeFirstOrThrow(),
  )
}
