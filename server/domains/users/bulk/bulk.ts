import { type Transaction, sql, type UpdateObject } from 'kysely'
import type { OutputOf, ParsedInputOf } from '../../../../contract/endpoint.ts'
import { LINK } from '../../../../contract/account.ts'
import { refuse } from '../../../../contract/errors.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import {
  type BULK_CHANGES,
  BULK_NAMED,
  type PreviewedAction,
  type previewBulk as previewEndpoint,
  type undoBulk,
} from '../../../../contract/users.ts'
import { DEADLOCK, mapConstraintErrors } from '../../../db/constraints.ts'
import type { Database } from '../../../db/types.ts'
import type { Call, Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { differences } from '../../../records/audit.ts'
import { approveOpenChanges } from '../../approvals/index.ts'
import { endFormerControl, keepingAdmins, leavesNoAdmin, roleGrantDetail } from '../../roles/index.ts'
import { invitations, liftSuspensions, restoration, suspension, withdrawal } from './bulk-access.ts'
import { extensionOf } from './bulk-extension.ts'
import { move } from './bulk-move.ts'
import { type Former, undo } from './bulk-undo.ts'
import { type UserSelection, chosenPeople, type ChosenPerson, digestOf } from './bulk-people.ts'
import { otherRole } from './bulk-role.ts'
import { mainTeam } from './bulk-team.ts'
import { listOwnChanges } from './own-changes.ts'
import { requireNameLengths } from '../search/list.ts'
import { suspendAccounts, type Suspension } from '../access/suspend.ts'
import { endAccess, endLinks, sendInvitations } from '../../account/index.ts'

/** Bulk change: what it writes for each selected user, and which users it skips and why. */
export interface Change {
  action: PreviewedAction
  /** Requested values, for the version: a preview of another day or role has another version. */
  asked: unknown
  columns: UpdateObject<Database, 'users'>
  /**
   * Returns why this change skips a user; null if it can be changed. Called only for users without a general obstacle.
   */
  obstacleOf: (person: ChosenPerson) => ChosenPerson['obstacle']
  /** Returns the current value of the changed field as text, for the preview; '' if there is nothing to show. */
  presentOf: (person: ChosenPerson, language: Language) => string
  /** Returns whether the change ends a user's main team. Missing if it ends none. */
  isLeavingTeam?: (person: ChosenPerson) => boolean
  /** True if the change may leave no 관리자 who can log in, or fewer days until the last one ends. */
  costsAdmins: boolean | (() => Promise<boolean>)
  /** Reason of a suspension by hand, which replaces `columns`. */
  suspension?: Suspension
  /** True if the change applies to withdrawn accounts only. */
  ofWithdrawn?: true
  /** Sets the obstacle of users whose changes conflict with each other. */
  markRivals?: (able: readonly ChosenPerson[]) => void
  /** Users of the change, if the change determines them and not the caller. */
  selected?: UserSelection['selected']
  /** Returns the new values of a user, if they are not `columns`. */
  formerOf?: (person: ChosenPerson) => Former
  /** Writes the new values of users, if they are not `columns`. */
  save?: (able: readonly ChosenPerson[]) => Promise<void>
  /** True if the change ends all sessions: none may become valid again. */
  endsSessions?: true
  /** Audit details of a granted role. */
  grant?: object
  /** Returns the audit details of a user, if they are not the old and new values of the columns. */
  detailOf?: (person: ChosenPerson) => Record<string, unknown>
}

/** Function that locks or refuses the requested values, and returns the bulk change. */
export type ChangeOf = (tx: Transaction<Database>, actor: SignedIn) => Promise<Change>

/**
 * Determines what a bulk change would do: the selected users who can be changed (`able`), the others with their
 * obstacle (`unable`), and the version of this plan. Writes nothing. All 관리자 get the obstacle LAST_ADMIN if the change
 * would leave none who can administer.
 * @param chosen selection of the caller; the change may replace its users
 * @param isLocking locks the users' rows until the transaction ends
 * @throws {Refusal} BULK_TOO_LARGE; and as `toUserSearch` for a search
 */
async function planOf(
  tx: Transaction<Database>,
  { actor, language }: Pick<Call<typeof previewEndpoint>, 'actor' | 'language'>,
  chosen: UserSelection,
  change: Change,
  isLocking: boolean,
) {
  const people = await chosenPeople(
    tx,
    actor,
    { ...chosen, selected: change.selected, ofWithdrawn: change.ofWithdrawn },
    language,
    isLocking,
  )
  let able = []
  for (const person of people) {
    person.obstacle ??= change.obstacleOf(person)
    if (person.obstacle === null) able.push(person)
  }
  change.markRivals?.(able)
  able = able.filter(({ obstacle }) => obstacle === null)
  const admins = able.filter(({ roleCode }) => roleCode === ROLE.admin)
  if (
    admins.length > 0 &&
    (await costsAdmins(change)) &&
    (await leavesNoAdmin(
      tx,
      admins.map(({ id }) => id),
    ))
  ) {
    for (const admin of admins) admin.obstacle = 'LAST_ADMIN'
    able = able.filter(({ obstacle }) => obstacle === null)
  }
  const unable = people.filter(({ obstacle }) => obstacle !== null)
  return { able, unable, version: digestOf(people, [change.action, change.asked]) }
}

/** Returns whether a change may leave fewer 관리자, resolved if the change must query it. */
const costsAdmins = async ({ costsAdmins: costs }: Change) => (typeof costs === 'function' ? costs() : costs)

/**
 * Returns the change that the input of a preview asks for.
 * @throws {Refusal} INPUT_INVALID, CODE_NOT_FOUND, PARTNER_NOT_FOUND or TEAM_NOT_FOUND if a field of its action is missing
 */
function changeAsked(input: ParsedInputOf<typeof previewEndpoint>): ChangeOf {
  const { bulkAction, validTo, roleCode, affiliationCode, partnerCode, teamId, auditId } = input
  switch (bulkAction) {
    case 'extend':
      return extensionOf(validTo ?? refuse('INPUT_INVALID'))
    case 'role':
      return otherRole(roleCode ?? refuse('CODE_NOT_FOUND'))
    case 'move':
      return move(affiliationCode ?? refuse('CODE_NOT_FOUND'), partnerCode ?? refuse('PARTNER_NOT_FOUND'))
    case 'team':
      return mainTeam(teamId ?? refuse('TEAM_NOT_FOUND'))
    case 'suspend':
      return suspension()
    case 'lift':
      return liftSuspensions()
    case 'invite':
      return invitations
    case 'withdraw':
      return withdrawal()
    case 'restore':
      return restoration
    case 'undo':
      return undo(auditId ?? refuse('INPUT_INVALID'))
  }
}

/**
 * Previews a bulk change (rules/users#bulk-changes): counts, the first BULK_NAMED users who would be changed or
 * skipped, and the version that the change must send. Does not refuse a change of no user. Writes nothing.
 * @throws {Refusal} as `changeAsked`, `requireNameLengths`, `planOf` and the function of the change
 */
const previewBulk: Handler<typeof previewEndpoint> = async (call, input) => {
  const changeOf = changeAsked(input)
  if (input.found) requireNameLengths(call, input.found)
  return call.db.transaction().execute(async (tx) => {
    const change = await changeOf(tx, call.actor)
    const { able, unable, version } = await planOf(tx, call, input, change, false)
    const counts = Map.groupBy(unable, ({ obstacle }) => obstacle)
    return {
      version,
      userCount: able.length,
      users: able
        .slice(0, BULK_NAMED)
        .map((person) => ({ ...nameFieldsOf(person), present: change.presentOf(person, call.language) })),
      teamEndCount: able.filter((person) => change.isLeavingTeam?.(person)).length,
      obstacleCount: unable.length,
      obstacles: unable.slice(0, BULK_NAMED).flatMap((person) => {
        const { obstacle } = person
        return obstacle === null ? [] : [{ ...nameFieldsOf(person), obstacle }]
      }),
      obstacleCounts: [...counts].flatMap(([obstacle, people]) =>
        obstacle === null ? [] : [{ obstacle, userCount: people.length }],
      ),
    }
  })
}

/** Returns the fields that name a user in a preview. */
const nameFieldsOf = ({ loginId, name }: ChosenPerson): { userId: string; name: string } => ({
  userId: loginId,
  name,
})

/** Calls that carry out a bulk change, by action, without the undo. */
type Changes = typeof BULK_CHANGES
/** Call that carries out a bulk change. */
type BulkEndpoint = Changes[keyof Changes]

/** Part of a call that a bulk change needs. */
type BulkCall = Pick<Call<BulkEndpoint>, 'db' | 'actor' | 'language' | 'services' | 'requester' | 'auditEach'>

/**
 * Changes all selected users who can be changed, as the preview showed it, and writes an audit row for each. The others
 * stay unchanged. Also ends the access of former controllers, and approves open affiliation requests after a move or an
 * undo. Wakes the mail job.
 * @param version version of the preview
 * @returns the number of changed users
 * @throws {Refusal} RECORD_CHANGED if anything differs from the preview; BULK_NOBODY if no user can be changed; and as
 * `requireNameLengths`, `planOf`, `carryOut` and the function of the change
 */
async function changePeople(
  call: BulkCall,
  { version, ...chosen }: UserSelection & { version: string },
  changeOf: ChangeOf,
): Promise<OutputOf<BulkEndpoint>> {
  const { actor, services } = call
  if (chosen.found) requireNameLengths(call, chosen.found)
  const changed = await call.db.transaction().execute(async (tx) => {
    const change = await changeOf(tx, actor)
    const { able, version: present } = await planOf(tx, call, chosen, change, true)
    if (present !== version) refuse('RECORD_CHANGED')
    if (able.length === 0) refuse('BULK_NOBODY')
    if (change.action === 'invite') await resend(tx, call, able)
    else await carryOut(tx, change, able)
    await endFormerControl(
      tx,
      call,
      able.map((person) => {
        const { roleCode: after, affiliationCode: to } = change.formerOf?.(person) ?? change.columns
        return {
          id: person.id,
          before: person.roleCode,
          after: typeof after === 'string' ? after : person.roleCode,
          isMoved: person.isBound && to !== undefined && to !== person.affiliationCode,
          wasOutside: person.isOutside,
        }
      }),
    )
    if (change.action === 'move' || change.action === 'undo') {
      const ids = able.map(({ id }) => id)
      await approveOpenChanges(tx, ids, { deciderId: actor.id, settings: services.settings })
    }
    await call.auditEach(
      tx,
      able.map((person) => ({ id: person.id, target: person.loginId, detail: detailOf(person, change) })),
    )
    return { userCount: able.length }
  })
  services.mail.wake()
  return changed
}

/**
 * Mails invitations again to locked users.
 * @throws {Refusal} RECORD_CHANGED if one of them set a password while the rows were locked: the statement that locks
 * them still sees the link
 */
async function resend(
  tx: Transaction<Database>,
  call: BulkCall,
  able: readonly ChosenPerson[],
): Promise<void> {
  const links = await tx
    .selectFrom('accountLinks')
    .select('userId')
    .where('kind', '=', LINK.invitation)
    .where('userId', '=', sql<string>`any(${able.map(({ id }) => id)}::bigint[])`)
    .execute()
  if (links.length < able.length) refuse('RECORD_CHANGED')
  await sendInvitations(tx, call.services, able, call.requester)
}

/**
 * Writes the change of the users who can be changed. Ends the access of those who could not log in, and of all if the
 * change ends sessions. A withdrawal also ends email links. Writes no audit row.
 * @throws {Refusal} LAST_ADMIN and LAST_ADMIN_ENDS as `keepingAdmins`; RECORD_CHANGED as `savePeople`
 */
async function carryOut(tx: Transaction<Database>, change: Change, able: readonly ChosenPerson[]) {
  if (change.suspension) {
    await suspendAccounts(tx, able, change.suspension)
    return
  }
  const ids = able.map(({ id }) => id)
  // An undo may also move users to another company.
  const mayCost = change.costsAdmins !== false || change.action === 'undo'
  const isOfAdmins = mayCost && able.some(({ roleCode }) => roleCode === ROLE.admin)
  const save = () => change.save?.(able) ?? savePeople(tx, ids, change.columns)
  await (isOfAdmins ? keepingAdmins(tx, save) : save())
  // Same as in a change of one account that could not log in: no later change may make its sessions valid again.
  const ended = change.endsSessions ? able : able.filter(({ mayLogIn }) => !mayLogIn)
  await endAccess(tx, ...ended.map(({ id }) => id))
  if (change.action === 'withdraw') await endLinks(tx, ids)
}

/**
 * Replaces the role of all these users by 일반 사용자 by the rules of a bulk change, with an audit row for each. Refuses all
 * if one cannot be changed. Does nothing for an empty list.
 * @param userIds login IDs
 * @param extraDetail audit details in addition to the previous role of each user
 * @throws {Refusal} FORBIDDEN for the caller's own account and accounts out of reach; LAST_ADMIN; LAST_ADMIN_ENDS;
 * BULK_TOO_LARGE; RECORD_CHANGED for a user who is withdrawn or has that role already
 */
export async function withdrawRoles(
  tx: Transaction<Database>,
  call: Pick<Call<BulkEndpoint>, 'actor' | 'language' | 'auditEach'>,
  userIds: readonly string[],
  extraDetail: Record<string, unknown>,
): Promise<void> {
  const change = await otherRole(ROLE.user)(tx, call.actor)
  const { able, unable } = await planOf(tx, call, { userIds, except: [] }, change, true)
  for (const { obstacle } of unable) {
    if (obstacle === 'OWN' || obstacle === 'OUT_OF_REACH') refuse('FORBIDDEN')
    refuse(obstacle === 'LAST_ADMIN' ? 'LAST_ADMIN' : 'RECORD_CHANGED')
  }
  await carryOut(tx, change, able)
  await call.auditEach(
    tx,
    able.map((person) => ({
      id: person.id,
      target: person.loginId,
      detail: { ...detailOf(person, change), ...extraDetail },
    })),
  )
}

/**
 * Writes the same columns for all these users, and the time of the change.
 * @throws {Refusal} RECORD_CHANGED as `CHANGED_MEANWHILE`
 */
async function savePeople(
  tx: Transaction<Database>,
  ids: readonly string[],
  columns: UpdateObject<Database, 'users'>,
): Promise<void> {
  await mapConstraintErrors(CHANGED_MEANWHILE, () =>
    tx
      .updateTable('users')
      .set({ ...columns, updatedAt: sql`now()` })
      .where('id', '=', sql<string>`any(${ids}::bigint[])`)
      .execute(),
  )
}

/**
 * Errors if another call took the email of a withdrawn account since the check, or takes some of the emails
 * concurrently.
 */
const CHANGED_MEANWHILE = { users_email_active: 'RECORD_CHANGED', [DEADLOCK]: 'RECORD_CHANGED' } as const

/**
 * Returns the audit details of a user, as after a change of one user: old and new values, the end of a main team, and a
 * role whose affiliation is a permission and changed.
 */
function detailOf(
  person: ChosenPerson,
  { columns, suspension: why, detailOf: own, grant, isLeavingTeam }: Change,
): Record<string, unknown> {
  if (why) return { ...why }
  if (own) return own(person)
  const changed = { ...differences(person, columns), ...grant }
  if (!('affiliationCode' in changed)) return changed
  return {
    ...changed,
    ...(isLeavingTeam?.(person) && { teamName: { before: person.teamName, after: '' } }),
    ...(person.isBound && { branchRole: person.roleCode }),
  }
}

/** Creates the handler of a bulk change: the input determines the change, and `changePeople` carries it out. */
const bulk =
  <E extends BulkEndpoint>(changeOf: (input: ParsedInputOf<E>, call: BulkCall) => ChangeOf) =>
  (call: BulkCall, input: ParsedInputOf<E>): Promise<OutputOf<BulkEndpoint>> =>
    changePeople(call, input, changeOf(input, call))

/**
 * Handlers of the bulk changes, of their preview, and of the caller's own recent changes (rules/users#bulk-changes).
 * `inviteUsers` refuses with MAIL_UNAVAILABLE if mail cannot be sent. `undoBulk` selects the users of the change to
 * undo.
 */
export const bulkChanges = {
  previewBulk,
  listOwnChanges,
  extendUsers: bulk<Changes['extend']>(({ validTo }) => extensionOf(validTo)),
  changeRoles: bulk<Changes['role']>((input, call) =>
    otherRole(input.roleCode, roleGrantDetail(call, input)),
  ),
  moveUsers: bulk<Changes['move']>(({ affiliationCode, partnerCode }) => move(affiliationCode, partnerCode)),
  changeMainTeams: bulk<Changes['team']>(({ teamId }) => mainTeam(teamId)),
  suspendUsers: bulk<Changes['suspend']>(({ suspendedFor, reason }) => suspension({ suspendedFor, reason })),
  liftUsers: bulk<Changes['lift']>(({ reason }) => liftSuspensions(reason)),
  inviteUsers(call: BulkCall, input: ParsedInputOf<Changes['invite']>) {
    if (call.services.mail.isAway()) refuse('MAIL_UNAVAILABLE')
    return changePeople(call, input, invitations)
  },
  withdrawUsers: bulk<Changes['withdraw']>(({ withdrawnReason }) => withdrawal(withdrawnReason)),
  restoreUsers: bulk<Changes['restore']>(() => restoration),
  undoBulk: (call: BulkCall, { auditId, version }: ParsedInputOf<typeof undoBulk>) =>
    changePeople(call, { userIds: [], except: [], version }, undo(auditId)),
}
