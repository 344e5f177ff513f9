import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from './endpoint.ts'
import { LOCKED, UNREACHABLE } from './refusal-lists.ts'
import {
  anyPassword,
  code,
  date,
  datesInOrder,
  email,
  flag,
  line,
  newPassword,
  partnerCode,
  phoneNumber,
  recordVersion,
  timestamp,
  userId,
} from './fields.ts'
import { isProgramWord, isRunnersId, newUserId } from './look-alikes.ts'
import { helpState } from './users/help.ts'
import { accountState } from './users/validity.ts'
import { withdrawnReason } from './users/withdrawn.ts'

export * from './users/validity.ts'

export * from './users/colleagues.ts'
export * from './users/export.ts'
export * from './users/factor-reset.ts'
export * from './users/own-data.ts'
export * from './users/help.ts'
export * from './users/list.ts'
export * from './users/saved-searches.ts'
export * from './users/sessions.ts'
export * from './users/suspension.ts'
export * from './users/withdrawn.ts'
export * from './users/bulk.ts'

/** Approval codes (rules/users#approval-toggle): the group KAMEMTY001. */
export const APPROVAL = { approved: 'MEMAP001', notApproved: 'MEMAP002' } as const

/** Display text of an approval in the person's language, from the code list. */
const approvalText = z.string()

/** What the admin card edits; sent only to those who may administer the account (rules/users#admin-card). */
const approvalRecord = {
  approval: approvalText,
  approvalCode: z.string(),
  /** YYYY-MM-DD, or empty until somebody has set it. */
  validFrom: z.string(),
  validTo: z.string(),
  partnerCode: z.string(),
  roleCode: z.string(),
  ...accountState,
  ...helpState,
}

/** A user record; the admin card's fields are there together or not at all. */
const userRecord = z.object({
  userId: z.string(),
  affiliationCode: z.string(),
  position: z.string(),
  name: z.string(),
  phoneNumber: z.string(),
  email: z.string(),
  /** Whether the record is the caller's own. */
  isOwn: flag,
  /** Which state of the record this is; comes back with an edit (`updateUser`). */
  version: z.string(),
  ...z.partial(z.object(approvalRecord)).shape,
  /** On one's own record: a partner code hangs on the affiliation, so that another one has to be asked for. */
  affiliationByRequest: z.optional(flag),
  /** On one's own record: the open request for another affiliation. */
  affiliationRequest: z.optional(
    z.object({ newAffiliationCode: z.string(), newAffiliationName: z.string(), requestedAt: timestamp }),
  ),
})

/** An empty userId means the caller's own record; any other needs the right to administer it (rules/users#user-record). */
export const getUser = endpoint({
  path: '/stm/v1/user',
  summary: 'Read a user',
  title: { ko: '사용자 정보 열기', en: 'Opened a user' },
  access: 'signed-in',
  others: ['autho_user_manage'],
  input: z.strictObject({
    userId: z._default(z.union([z.literal(''), userId], { error: 'userIdFormat' }), ''),
  }),
  output: userRecord,
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'in.userId', 'out.userId'],
  perPerson: 'read',
})

const basicFields = {
  userId,
  affiliationCode: code,
  position: line(50),
  name: line(50),
  phoneNumber,
  email,
}

const adminFields = {
  validFrom: date,
  validTo: date,
  partnerCode,
  roleCode: code,
  approvalCode: z.enum(Object.values(APPROVAL), 'codeFormat'),
}

/** The basic card of the user form (rules/users#basic-card). */
export const basicCard = z.strictObject(basicFields)

const cards = { ...basicFields, ...z.partial(z.object(adminFields)).shape }

/** The cards of the user form: the admin card's fields are all there or none of them (rules/users#admin-card). */
export const userForm = z.strictObject(cards).check(datesInOrder)

/**
 * Edits a user; originalUserId is the ID before the edit. The admin card's fields come together or not at
 * all, and never for one's own record (rules/roles#own-account). E-mail is read-only: another value is refused. The
 * version is the one that was read: RECORD_CHANGED when the record has changed since. Callers that know none leave it
 * out and overwrite what is there.
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
    /** There when another affiliation was not given but asked for (rules/users#affiliation-change). */
    requestId: z.optional(z.string()),
  }),
  errors: [
    'FORBIDDEN',
    'USER_NOT_FOUND',
    'PARTNER_CHOICE_MISSING',
    'USER_ID_TAKEN',
    'RENAMES_USED',
    'EMAIL_READ_ONLY',
    'CODE_NOT_FOUND',
    'AFFILIATION_CLOSED',
    'PARTNER_NOT_FOUND',
    'PARTNER_STOPPED',
    'LAST_ADMIN',
    'LAST_ADMIN_ENDS',
    'RECORD_CHANGED',
  ],
  audit: 'user.update',
  personal: ['change', 'in.originalUserId', 'out.userId'],
  perPerson: 'write',
})

/** Withdraws an account: access ends at once, the row stays (rules/users#withdrawal). */
export const withdrawUser = endpoint({
  path: '/stm/v1/del/user',
  summary: 'Withdraw a user',
  title: { ko: '사용자 탈퇴', en: 'Withdrew an account' },
  access: 'signed-in',
  confirmed: 'told',
  others: ['autho_user_manage'],
  input: z.strictObject({ userId, withdrawnReason }),
  output: z.object({}),
  errors: ['FORBIDDEN', 'USER_NOT_FOUND', 'USER_NOT_APPROVED', 'LAST_ADMIN', 'LAST_ADMIN_ENDS'],
  audit: 'user.withdraw',
  personal: ['change', 'in.userId'],
  perPerson: 'write',
})

/**
 * What the form of /user/insert asks for (rules/users#register), without a password when the owner is invited to make
 * one; the
 * manager's own password is asked after it.
 */
export const registrationFields = {
  ...basicFields,
  userId: newUserId,
  ...adminFields,
  password: z.optional(newPassword),
}

/**
 * Whether an e-mail is free, for those who register or correct people (rules/users#taken-at-the-field). Nobody else is told
 * who works here.
 */
export const checkEmail = endpoint({
  path: '/stm/v1/check/email',
  summary: 'Whether an e-mail is free',
  title: { ko: '이메일 중복 확인', en: 'Checked whether an e-mail is in use' },
  access: { function: ['autho_user_insert', 'autho_user_manage'] },
  input: z.strictObject({ email }),
  output: z.object({}),
  errors: ['EMAIL_TAKEN'],
  audit: 'none',
  // The user who has it.
  personal: ['search', 'told'],
  perPerson: 'read',
  limit: USUAL_LIMIT,
})

/**
 * Registers a user, already approved or not; the manager enters their own password (rules/users#manager-password), in
 * tries that count with those of the login.
 */
export const registerUser = endpoint({
  path: '/stm/v1/ins/user',
  summary: 'Register a user',
  title: { ko: '사용자 등록', en: 'Registered a user' },
  access: { function: ['autho_user_insert'], refusal: 'FUNCTION_DENIED' },
  confirmed: 'password',
  input: z.strictObject({ ...registrationFields, managerPassword: anyPassword }).check(datesInOrder),
  output: z.object({ userId: z.string() }),
  errors: [
    'FORBIDDEN',
    'PASSWORD_WRONG',
    ...LOCKED,
    'USER_ID_TAKEN',
    'EMAIL_TAKEN',
    'CODE_NOT_FOUND',
    'AFFILIATION_CLOSED',
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
  perPerson: 'write',
  limit: USUAL_LIMIT,
})
