import * as z from 'zod/mini'
import { USER_READERS } from './permissions.ts'
import { endpoint, USUAL_LIMIT } from './endpoint.ts'
import { LOCKED, UNREACHABLE } from './refusal-lists.ts'
import {
  anyPassword,
  code,
  date,
  datesInOrder,
  email,
  flag,
  lastDay,
  line,
  newPassword,
  partnerCode,
  anyPhoneNumber,
  recordVersion,
  timestamp,
  userId,
  grantFields,
} from './fields.ts'
import { isProgramWord, isRunnersId, newUserId } from './reserved-names.ts'
import { helpState } from './users/admin-actions.ts'
import { teamFields } from './teams.ts'
import { detailFields, shownDetails } from './custom-fields.ts'
import { accountState } from './users/validity.ts'
import { withdrawnReason } from './users/withdrawn.ts'

export * from './users/validity.ts'

export * from './users/colleagues.ts'
export * from './users/custom-fields.ts'
export * from './users/export.ts'
export * from './users/factor-reset.ts'
export * from './users/own-data.ts'
export * from './users/admin-actions.ts'
export * from './users/list.ts'
export * from './users/saved-searches.ts'
export * from './users/sessions.ts'
export * from './users/suspension.ts'
export * from './users/withdrawn.ts'
export * from './users/bulk.ts'

/** Codes of the approval of an account, from the code group KAMEMTY001 (rules/users#approval-toggle). */
export const APPROVAL = { approved: 'MEMAP001', notApproved: 'MEMAP002' } as const

/** Display text of an approval in the caller's language, from the code list. */
const approvalText = z.string()

/**
 * Fields of the admin card in a user record (rules/users#admin-card). A record has them for callers who may read the
 * account as administrators, and never for the caller's own.
 */
const approvalRecord = {
  approval: approvalText,
  approvalCode: z.string(),
  /** YYYY-MM-DD, or empty until it is set. */
  validFrom: z.string(),
  validTo: z.string(),
  partnerCode: z.string(),
  roleCode: z.string(),
  ...accountState,
  ...helpState,
}

/** Schema of a user record. The fields of the admin card are all present or all absent. */
const userRecord = z.object({
  userId: z.string(),
  affiliationCode: z.string(),
  position: z.string(),
  name: z.string(),
  phoneNumber: z.string(),
  email: z.string(),
  /** The main team; '' without one. */
  teamId: z.string(),
  /** The additional teams (rules/teams#membership). */
  otherTeamIds: z.array(z.string()),
  ...shownDetails,
  /** True for the caller's own record. */
  isOwn: flag,
  /** Version of the record; the client sends it back with an edit (`updateUser`). */
  version: z.string(),
  ...z.partial(z.object(approvalRecord)).shape,
  /** On the caller's own record: true if only others may change name and position (rules/users#name-and-position). */
  profileReadOnly: z.optional(flag),
  /**
   * On the caller's own record: true if the caller must request another affiliation, because the partner code depends
   * on it.
   */
  affiliationByRequest: z.optional(flag),
  /** On the caller's own record: the open request for another affiliation. */
  affiliationRequest: z.optional(
    z.object({ newAffiliationCode: z.string(), newAffiliationName: z.string(), requestedAt: timestamp }),
  ),
})

/**
 * Returns a user record. An empty `userId` means the caller's own, which lacks the admin card; any other requires that
 * the caller may read the account as an administrator (rules/users#user-record). FORBIDDEN or USER_NOT_FOUND otherwise,
 * also for a withdrawn account.
 */
export const getUser = endpoint({
  path: '/stm/v1/user',
  summary: 'Read a user',
  title: { ko: '사용자 정보 조회', en: 'Viewed a user' },
  access: 'signed-in',
  scope: 'users:read',
  others: USER_READERS,
  input: z.strictObject({
    userId: z._default(z.union([z.literal(''), userId], { error: 'userIdFormat' }), ''),
  }),
  output: userRecord,
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'in.userId', 'out.userId'],
})

/** Input fields of the basic card, with their rules. */
const basicFields = {
  userId,
  affiliationCode: code,
  position: line(50),
  name: line(50),
  phoneNumber: anyPhoneNumber,
  email,
}

/** Input fields of the admin card, with their rules. */
const adminFields = {
  validFrom: date,
  validTo: lastDay,
  partnerCode,
  roleCode: code,
  approvalCode: z.enum(Object.values(APPROVAL), 'codeFormat'),
}

/** Schema of the basic card of the user form (rules/users#basic-card). */
export const basicCard = z.strictObject(basicFields)

/** Input fields of the whole user form. */
const cards = { ...basicFields, ...teamFields, ...detailFields, ...z.partial(z.object(adminFields)).shape }

/**
 * Schema of the whole user form: basic card, teams, details and admin card, whose fields may be absent
 * (rules/users#admin-card).
 */
export const userForm = z.strictObject(cards).check(datesInOrder)

/**
 * Edits a user; `originalUserId` is the ID before the edit. The fields of the admin card must be all present or all
 * absent. For the caller's own record they and the teams must be absent (rules/roles#own-account). The email is
 * read-only: another value gives EMAIL_READ_ONLY. PROFILE_READ_ONLY for another name or position of the caller, if HR
 * maintains them. RECORD_CHANGED if the record has changed since the version that was read; a caller without `version`
 * overwrites the current values. Approves open requests of a user whom the edit approves or moves. Ends the sessions of
 * an account that may no longer log in.
 */
export const updateUser = endpoint({
  path: '/stm/v1/upd/user',
  summary: 'Edit or approve a user',
  title: { ko: '사용자 정보 수정', en: 'Edited a user' },
  access: 'signed-in',
  confirmed: 'told',
  others: ['autho_user_manage'],
  input: z
    .strictObject({
      originalUserId: userId,
      ...cards,
      ...grantFields,
      version: z.optional(recordVersion),
    })
    .check(
      z.refine(
        (user) => {
          const given = Object.keys(adminFields).filter(
            (name) => user[name as keyof typeof user] !== undefined,
          )
          return given.length === 0 || given.length === Object.keys(adminFields).length
        },
        { error: 'adminCardIncomplete', path: ['approvalCode'] },
      ),
      z.refine((user) => user.userId === user.originalUserId || !isRunnersId(user.userId), {
        error: 'userIdOfRunner',
        path: ['userId'],
      }),
      z.refine((user) => user.userId === user.originalUserId || !isProgramWord(user.userId), {
        error: 'userIdOfProgram',
        path: ['userId'],
      }),
      datesInOrder,
    ),
  output: z.object({
    userId: z.string(),
    /** Present if the caller requested another affiliation instead of setting it (rules/users#affiliation-change). */
    requestId: z.optional(z.string()),
  }),
  errors: [
    'FORBIDDEN',
    'USER_NOT_FOUND',
    'PARTNER_CHOICE_MISSING',
    'USER_ID_TAKEN',
    'EMPLOYEE_NUMBER_TAKEN',
    'RENAMES_USED',
    'EMAIL_READ_ONLY',
    'PROFILE_READ_ONLY',
    'CODE_NOT_FOUND',
    'AFFILIATION_CLOSED',
    'TEAM_NOT_FOUND',
    'PARTNER_NOT_FOUND',
    'PARTNER_STOPPED',
    'LAST_ADMIN',
    'LAST_ADMIN_ENDS',
    'RECORD_CHANGED',
  ],
  audit: 'user.update',
  auditsChangeOnly: true,
  personal: ['change', 'in.originalUserId', 'out.userId'],
})

/**
 * Withdraws an account, the caller's own or another user's: its sessions and email links end immediately, the row
 * stays, and its ID is never free again (rules/users#withdrawal). Needs password re-entry for the own account
 * (PASSWORD_CHECK_REQUIRED), reauthentication for another (CONFIRMATION_REQUIRED). USER_NOT_APPROVED for another user's
 * account that is not approved; KEYS_TOO_MANY if more keys would be revoked than one call may; LAST_ADMIN or
 * LAST_ADMIN_ENDS for the last 관리자. The reason and `keysRevoked` are ignored for the caller's own account.
 */
export const withdrawUser = endpoint({
  path: '/stm/v1/del/user',
  summary: 'Withdraw a user',
  title: { ko: '사용자 탈퇴', en: 'Withdrew an account' },
  access: 'signed-in',
  confirmed: 'told',
  others: ['autho_user_manage'],
  input: z
    .strictObject({
      userId,
      withdrawnReason,
      /**
       * True to revoke all keys of the user too, which needs a reason, but no permission for keys
       * (rules/users#before-a-withdrawal).
       */
      keysRevoked: z.optional(flag),
    })
    .check(
      z.refine((asked) => asked.keysRevoked !== true || asked.withdrawnReason !== '', {
        error: 'required',
        path: ['withdrawnReason'],
      }),
    ),
  errors: [
    'FORBIDDEN',
    'USER_NOT_FOUND',
    'USER_NOT_APPROVED',
    'LAST_ADMIN',
    'LAST_ADMIN_ENDS',
    'KEYS_TOO_MANY',
  ],
  audit: 'user.withdraw',
  auditsToo: ['key.revoke'],
  personal: ['change', 'in.userId', 'told'],
})

/**
 * Fields of the form at /user/insert (rules/users#register). Without a password, the owner is invited to set one. The
 * form asks for the manager's own password afterwards.
 */
export const registrationFields = {
  ...basicFields,
  userId: newUserId,
  ...teamFields,
  ...detailFields,
  ...adminFields,
  password: z.optional(newPassword),
}

/**
 * Checks that an email is free, for callers who register or correct users (rules/users#availability-check). EMAIL_TAKEN
 * if an account has or reserves it. Other callers must not learn who has an account.
 */
export const checkEmail = endpoint({
  path: '/stm/v1/check/email',
  summary: 'Check whether an e-mail is free',
  title: { ko: '이메일 중복 확인', en: 'Checked whether an e-mail is in use' },
  access: { function: ['autho_user_insert', 'autho_user_manage'] },
  input: z.strictObject({ email }),
  errors: ['EMAIL_TAKEN'],
  audit: 'none',
  // The user who has the email.
  personal: ['search', 'told'],
  limit: USUAL_LIMIT,
})

/**
 * Registers a user, approved or not. Without `password` the user gets an invitation by email; MAIL_UNAVAILABLE if no
 * mail can be sent. The caller enters their own password too (rules/users#manager-password); wrong attempts count with
 * those of the login. USER_ID_TAKEN, EMAIL_TAKEN or EMPLOYEE_NUMBER_TAKEN for a value in use. FORBIDDEN for a role that
 * the caller may not grant and for an affiliation of another branch.
 */
export const registerUser = endpoint({
  path: '/stm/v1/ins/user',
  summary: 'Register a user',
  title: { ko: '사용자 등록', en: 'Registered a user' },
  access: { function: ['autho_user_insert'], refusal: 'FUNCTION_DENIED' },
  confirmed: 'password',
  input: z
    .strictObject({ ...registrationFields, managerPassword: anyPassword, ...grantFields })
    .check(datesInOrder),
  output: z.object({ userId: z.string() }),
  errors: [
    'FORBIDDEN',
    'PASSWORD_WRONG',
    ...LOCKED,
    'USER_ID_TAKEN',
    'EMPLOYEE_NUMBER_TAKEN',
    'EMAIL_TAKEN',
    'CODE_NOT_FOUND',
    'AFFILIATION_CLOSED',
    'TEAM_NOT_FOUND',
    'PARTNER_NOT_FOUND',
    'PARTNER_STOPPED',
    'PASSWORD_COMMON',
    'PASSWORD_PERSONAL',
    'MAIL_UNAVAILABLE',
  ],
  audit: 'user.register',
  personal: ['change', 'in.userId'],
  mails: 'invitationWritten',
  mailsUnless: 'password',
  limit: USUAL_LIMIT,
})
