import * as z from 'zod/mini'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { code, date, partnerCode, recordId, recordVersion, userId, grantFields } from '../fields.ts'
import { newMainTeam } from '../teams.ts'
import { userFilters } from './list.ts'
import { accountReason, otherInWords, suspensionFields } from './suspension.ts'
import { withdrawnReason } from './withdrawn.ts'

/** Maximum number of users in one bulk change, which runs in one transaction (rules/users#bulk-changes). */
export const BULK_MAX = 10_000

/**
 * The most users whom the page withdraws in bulk without asking the administrator to type their number
 * (rules/users#bulk-withdrawal).
 */
export const BULK_WITHDRAWN_UNASKED = 20

/** Maximum number of users that a preview lists; the counts cover all. */
export const BULK_NAMED = 100

/** The actions of a bulk change. */
export const BULK_ACTIONS = [
  'extend',
  'role',
  'move',
  'team',
  'suspend',
  'lift',
  'invite',
  'withdraw',
  'restore',
] as const

/** An action of a bulk change. */
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** The bulk changes that can be previewed: the actions for chosen users, and undoing such a change. */
export const PREVIEWED_ACTIONS = [...BULK_ACTIONS, 'undo'] as const

/** A bulk change that can be previewed. */
export type PreviewedAction = (typeof PREVIEWED_ACTIONS)[number]

/**
 * Reasons why a bulk change skips a selected user (rules/users#excluded-users). Skipped users do not prevent the change
 * of the others.
 */
export const OBSTACLES = [
  'OWN',
  'OUT_OF_REACH',
  'GONE',
  'NOT_APPROVED',
  'LAST_ADMIN',
  'STARTS_LATER',
  'ALREADY',
  'OTHER_AFFILIATION',
  'NOT_WITHDRAWN',
  'TOO_LATE',
  'EMAIL_TAKEN',
  'EMAIL_TWICE',
  'ADMIN_NEEDED',
  'NOT_INVITED',
  'CHANGED_SINCE',
  'FORMER_GONE',
] as const

/** Filters of a search that selects users; each action determines whether it selects withdrawn ones. */
const { withdrawn: _, ...found } = userFilters

/** Schema of selected login IDs, at most BULK_MAX; none if left out. */
const people = z._default(
  z.array(userId, { error: 'tooManyChosen' }).check(z.maxLength(BULK_MAX, `tooManyChosen|${BULK_MAX}`)),
  [],
)

/**
 * Input fields of the selected users: by ID (`userIds`), or all that a search finds (`found`) except some (`except`). A
 * restore selects withdrawn users in the same two ways.
 */
const chosen = {
  userIds: people,
  found: z.optional(z.strictObject(found)),
  except: people,
}

/** Check that users are selected either by ID or by a search, not both. */
const isOneWay = z.refine<{ userIds: readonly string[]; found?: unknown }>(
  ({ userIds, found: search }) => userIds.length > 0 !== (search !== undefined),
  { error: 'nobodyChosen', path: ['userIds'] },
)

/** Input fields that each bulk action needs in addition to the selected users, by action. */
export const bulkFields = {
  /** '' extends each account by a year from its own end, as the button of a user does. */
  extend: { validTo: z.union([z.literal(''), date], { error: 'dateFormat' }) },
  role: { roleCode: code },
  move: { affiliationCode: code, partnerCode },
  team: { teamId: newMainTeam },
  suspend: suspensionFields,
  lift: { reason: accountReason },
  invite: {},
  withdraw: { withdrawnReason },
  restore: {},
}

/**
 * Check of a preview: an undo names a change and no users. Any other action names users either by ID or by a search,
 * not both.
 */
const isUndoOrOneWay = z.refine<{
  bulkAction: PreviewedAction
  auditId?: string | undefined
  userIds: readonly string[]
  found?: unknown
}>(
  ({ bulkAction, auditId, userIds, found: search }) =>
    bulkAction === 'undo'
      ? auditId !== undefined && userIds.length === 0 && search === undefined
      : userIds.length > 0 !== (search !== undefined),
  { error: 'nobodyChosen', path: ['userIds'] },
)

/** Access policy: callers with the permission to manage users. */
const manage = { function: ['autho_user_manage'] } as const

/** Errors of the requested values, which the preview returns too. */
const choiceErrors = [
  'BULK_TOO_LARGE',
  'CODE_NOT_FOUND',
  'AFFILIATION_CLOSED',
  'PARTNER_NOT_FOUND',
  'PARTNER_STOPPED',
  'FORBIDDEN',
] as const

/** Errors of a bulk change that may concern roles, affiliations or 관리자. */
const refusals = [...choiceErrors, 'RECORD_CHANGED', 'BULK_NOBODY', 'LAST_ADMIN', 'LAST_ADMIN_ENDS'] as const

/** Errors of a bulk change without requested values. */
const undoRefusals = ['BULK_TOO_LARGE', 'RECORD_CHANGED', 'BULK_NOBODY'] as const

/** Fields of a selected user: ID, and the name if the caller may administer the user, else ''. */
const person = { userId: z.string(), name: z.string() }

/**
 * Previews a bulk change: which users it would change, and which it would skip and why. Changes nothing. The client
 * sends the version back with the change, which is refused with RECORD_CHANGED if any of these users has changed since.
 * BULK_TOO_LARGE for more than BULK_MAX users; further errors concern the requested role, affiliation, partner or team.
 */
export const previewBulk = endpoint({
  path: '/stm/v1/chk/bulk',
  summary: 'Preview a change of many users',
  title: { ko: '선택한 사용자 일괄 작업 미리보기', en: 'Previewed a bulk change of users' },
  access: manage,
  input: z
    .strictObject({
      ...chosen,
      bulkAction: z.enum(PREVIEWED_ACTIONS, 'codeFormat'),
      validTo: z.optional(bulkFields.extend.validTo),
      roleCode: z.optional(code),
      affiliationCode: z.optional(code),
      partnerCode: z.optional(partnerCode),
      teamId: z.optional(newMainTeam),
      /** A row of the bulk change to undo. */
      auditId: z.optional(recordId),
    })
    .check(isUndoOrOneWay),
  output: z.object({
    version: z.string(),
    /** Number of users to change. */
    userCount: z.number(),
    /** The first `BULK_NAMED` of them, with their present values of the fields to change, as text. */
    users: z.array(z.object({ ...person, present: z.string() })),
    /** Number of users to change whose main team ends. */
    teamEndCount: z.number(),
    /** Number of users to skip. */
    obstacleCount: z.number(),
    obstacles: z.array(z.object({ ...person, obstacle: z.enum(OBSTACLES) })),
    /** Number of users to skip for each reason. */
    obstacleCounts: z.array(z.object({ obstacle: z.enum(OBSTACLES), userCount: z.number() })),
  }),
  errors: [...choiceErrors, 'TEAM_NOT_FOUND'],
  audit: 'none',
  personal: ['search', 'out.users[].userId', 'out.obstacles[].userId'],
  perPerson: 'heavy',
})

/** Input fields of every bulk change: the selected users, and the version of the preview. */
const versioned = { ...chosen, version: recordVersion }

/**
 * Declaration that all bulk changes share. They need reauthentication, write an audit row for each user, and return the
 * number of changed users.
 */
const bulkChange = {
  access: manage,
  confirmed: 'always',
  output: z.object({ userCount: z.number() }),
  errors: refusals,
  personal: ['change', 'told'],
  auditsEach: true,
} as const

/**
 * Extends the selected accounts to a day, or each by a year if `validTo` is ''. Skips accounts that are valid for
 * longer or without an end. `userCount` is the number of changed accounts. BULK_NOBODY if that is 0; RECORD_CHANGED if
 * anything differs from the preview.
 */
export const extendUsers = endpoint({
  path: '/stm/v1/ext/users',
  summary: 'Extend many accounts to a day',
  title: { ko: '선택한 사용자 유효기간 연장', en: 'Extended several accounts' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.extend }).check(isOneWay),
  audit: 'user.extend',
})

/**
 * Gives all selected users another role. Skips users who have it, the caller, and accounts out of reach. Ends the
 * access of former controllers of these accounts (rules/roles#former-controllers). FORBIDDEN for a role that the caller
 * may not grant. Skips all 관리자 if none would remain; LAST_ADMIN_ENDS if the last one would end earlier than before.
 * BULK_NOBODY if no user can be changed; RECORD_CHANGED if anything differs from the preview.
 */
export const changeRoles = endpoint({
  path: '/stm/v1/upd/roles',
  summary: 'Change the role of many users',
  title: { ko: '선택한 사용자 권한 변경', en: 'Changed the roles of several users' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.role, ...grantFields }).check(isOneWay),
  audit: 'user.update',
})

/**
 * Moves the selected users to an affiliation, with a partner code of it. Ends their main teams, and approves their open
 * requests for that affiliation. FORBIDDEN for an affiliation of another branch; AFFILIATION_CLOSED; PARTNER_NOT_FOUND;
 * PARTNER_STOPPED. BULK_NOBODY if no user can be changed; RECORD_CHANGED if anything differs from the preview.
 */
export const moveUsers = endpoint({
  path: '/stm/v1/upd/belongtos',
  summary: 'Move many users to an affiliation and one of its partner codes',
  title: { ko: '선택한 사용자 소속 변경', en: 'Moved several users' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.move }).check(isOneWay),
  audit: 'user.update',
})

/**
 * Makes a team the main team of the selected users of its affiliation, in place of their previous one, or ends their
 * main teams for `NO_TEAM`. Additional teams stay. Skips users of other affiliations. TEAM_NOT_FOUND; FORBIDDEN for a
 * team of another branch. BULK_NOBODY if no user can be changed; RECORD_CHANGED if anything differs from the preview.
 */
export const changeMainTeams = endpoint({
  path: '/stm/v1/upd/teams',
  summary: 'Change the main team of many users',
  title: { ko: '선택한 사용자 팀 변경', en: 'Changed the teams of several users' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.team }).check(isOneWay),
  errors: [...undoRefusals, 'TEAM_NOT_FOUND', 'FORBIDDEN'],
  audit: 'user.update',
})

/**
 * Suspends the selected approved accounts manually, and ends their sessions and email links
 * (rules/users#suspension-by-hand). Skips accounts that are suspended manually already or not approved. Skips all 관리자
 * if none would remain; LAST_ADMIN_ENDS if the last one would end earlier than before. BULK_NOBODY if no user can be
 * changed; RECORD_CHANGED if anything differs from the preview.
 */
export const suspendUsers = endpoint({
  path: '/stm/v1/sus/users',
  summary: 'Suspend many accounts',
  title: { ko: '선택한 사용자 정지', en: 'Suspended several accounts' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.suspend }).check(isOneWay, otherInWords),
  audit: 'user.suspend',
})

/**
 * Withdraws the selected approved accounts, and ends their sessions and email links (rules/users#withdrawal). Their
 * keys stay valid. Skips all 관리자 if none would remain; LAST_ADMIN_ENDS if the last one would end earlier than before.
 * BULK_NOBODY if no user can be changed; RECORD_CHANGED if anything differs from the preview.
 */
export const withdrawUsers = endpoint({
  path: '/stm/v1/del/users',
  summary: 'Withdraw many accounts',
  title: { ko: '선택한 사용자 탈퇴', en: 'Withdrew several accounts' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.withdraw }).check(isOneWay),
  audit: 'user.withdraw',
})

/**
 * Unsuspends the selected accounts that were suspended manually or for inactivity, and restarts their count of
 * inactivity (rules/users#suspension-by-hand). Skips accounts suspended for a security incident if the caller lacks
 * `autho_admin_manage` or is an unattended program. BULK_NOBODY if no user can be changed; RECORD_CHANGED if anything
 * differs from the preview.
 */
export const liftUsers = endpoint({
  path: '/stm/v1/lft/users',
  summary: 'Lift many suspensions',
  title: { ko: '선택한 사용자 정지 해제', en: 'Lifted several suspensions' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.lift }).check(isOneWay),
  errors: undoRefusals,
  audit: 'user.lift',
})

/**
 * Sends invitations again to the selected users who have not set a password yet, and revokes their previous ones
 * (rules/users#invitation). Skips the others. MAIL_UNAVAILABLE if no mail can be sent. BULK_NOBODY if no user can be
 * changed; RECORD_CHANGED if anything differs from the preview.
 */
export const inviteUsers = endpoint({
  path: '/stm/v1/inv/users',
  summary: 'Send many invitations again',
  title: { ko: '선택한 사용자 초대 재발송', en: 'Sent several invitations again' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.invite }).check(isOneWay),
  errors: [...undoRefusals, 'MAIL_UNAVAILABLE'],
  audit: 'user.invite',
  mails: 'invitationWritten',
  perPerson: 'mail',
})

/**
 * Undoes the withdrawals of the selected accounts with their previous roles, within `RESTORE_DAYS` days
 * (rules/users#taking-back). Skips those that are too old, whose email another account has, or whose role the caller
 * may not grant. BULK_NOBODY if no user can be changed; RECORD_CHANGED if anything differs from the preview.
 */
export const restoreUsers = endpoint({
  path: '/stm/v1/rst/users',
  summary: 'Undo many withdrawals',
  title: { ko: '선택한 사용자 탈퇴 취소', en: 'Undid several withdrawals' },
  ...bulkChange,
  input: z.strictObject({ ...versioned, ...bulkFields.restore }).check(isOneWay),
  errors: undoRefusals,
  audit: 'user.restore',
})

/**
 * Restores the values before a bulk change for the users who still have the values that it gave them; the others are
 * skipped (rules/users#undo-a-bulk-change). `auditId` is the `undoId` of one of its audit rows. BULK_NOBODY if no user
 * can be restored, or if there is no such change.
 */
export const undoBulk = endpoint({
  path: '/stm/v1/und/users',
  summary: 'Undo a bulk change',
  title: { ko: '사용자 일괄 변경 되돌리기', en: 'Undid a bulk change of users' },
  ...bulkChange,
  input: z.strictObject({ auditId: recordId, version: recordVersion }),
  errors: [...undoRefusals, 'LAST_ADMIN', 'LAST_ADMIN_ENDS'],
  audit: 'user.update',
})

/** Call that carries out each bulk action. */
export const BULK_CHANGES = {
  extend: extendUsers,
  role: changeRoles,
  move: moveUsers,
  team: changeMainTeams,
  suspend: suspendUsers,
  lift: liftUsers,
  invite: inviteUsers,
  withdraw: withdrawUsers,
  restore: restoreUsers,
} satisfies Record<BulkAction, Endpoint>

/** Days for which the list of own bulk changes names a change. */
export const OWN_CHANGES_DAYS = 7
/** Maximum number of changes in the list of own bulk changes. */
export const OWN_CHANGES = 20

/**
 * Lists the caller's own bulk changes that can still be undone, newest first, without undos
 * (rules/users#undo-a-bulk-change). The undo itself decides for each user.
 */
export const listOwnChanges = endpoint({
  path: '/stm/v1/get/bulks',
  summary: 'List my recent bulk changes',
  access: manage,
  output: z.object({
    bulkChanges: z.array(
      z.object({
        /** `auditId` of the undo. */
        undoId: z.string(),
        changedAt: z.string(),
        /** Names of the changed fields, and the new affiliation, role and end if all users got the same. */
        changeSummary: z.string(),
        /** Number of changed users, also of those changed again since. */
        userCount: z.number(),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})
