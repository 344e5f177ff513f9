import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { flag } from '../fields.ts'
import { can, type FunctionName } from '../permissions.ts'
import { KIND, type Kind } from './kinds.ts'

/** When a kind of notification comes by mail (rules/notifications#choices). */
export const MAIL = { atOnce: 'AT_ONCE', daily: 'DAILY', never: 'NEVER' } as const

/** One of them. */
export type MailChoice = (typeof MAIL)[keyof typeof MAIL]

/** What holds for a kind until somebody chooses otherwise; of those that are not here one chooses nothing. */
export const USUAL_MAIL = {
  [KIND.mustRead]: MAIL.never,
  [KIND.noticeComment]: MAIL.daily,
  [KIND.affiliationApproved]: MAIL.atOnce,
  [KIND.affiliationRefused]: MAIL.atOnce,
  [KIND.keyRevoked]: MAIL.atOnce,
  [KIND.keyLimit]: MAIL.atOnce,
  [KIND.programEnding]: MAIL.atOnce,
  [KIND.programEnded]: MAIL.atOnce,
  [KIND.serviceEnding]: MAIL.atOnce,
  [KIND.sessionEnded]: MAIL.never,
  [KIND.signUp]: MAIL.daily,
  [KIND.factorReset]: MAIL.atOnce,
  [KIND.inspection]: MAIL.daily,
  [KIND.review]: MAIL.daily,
} as const satisfies Partial<Record<Kind, MailChoice>>

/** A kind that one may choose about. */
export type ChoosableKind = keyof typeof USUAL_MAIL

/** Those kinds, in the order of the rules. */
export const CHOOSABLE = Object.values(KIND).filter((kind): kind is ChoosableKind => kind in USUAL_MAIL)

/** Who a choice is of: what they hold decides what concerns them. */
interface Chooser {
  userId: string
  partnerId: string | null
  functions: readonly FunctionName[]
}

/** When a kind comes to somebody by mail. */
export function mailOf(
  kind: Kind,
  chooser: Chooser,
  chosen: Partial<Record<string, MailChoice>>,
): MailChoice {
  if (!(kind in USUAL_MAIL)) return MAIL.atOnce
  // Those whose partner it is are many, and cannot raise its limit.
  const isReader = kind === KIND.keyLimit && !can(chooser, 'autho_partner_search')
  return chosen[kind] ?? (isReader ? MAIL.never : USUAL_MAIL[kind as ChoosableKind])
}

/** Whether somebody is ever told of a kind. */
export function mayConcern(kind: Kind, chooser: Chooser): boolean {
  if (kind === KIND.signUp || kind === KIND.factorReset) return can(chooser, 'autho_user_manage')
  if (kind === KIND.inspection) return can(chooser, 'autho_audit_search')
  if (kind === KIND.review) return can(chooser, 'autho_role_manage')
  if (kind === KIND.serviceEnding) return can(chooser, 'autho_service_manage')
  if (kind === KIND.programEnding || kind === KIND.programEnded) return chooser.partnerId !== null
  if (kind === KIND.keyLimit) return chooser.partnerId !== null || can(chooser, 'autho_partner_search')
  // It comes before anybody could choose.
  return kind !== KIND.accountApproved
}

/** What the caller is told of, and how: of the kinds that may concern them. */
export const listNotificationChoices = endpoint({
  path: '/ntf/v1/get/choices',
  summary: 'How I am told of what',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({
    choices: z.array(
      z.object({
        kind: z.enum(Object.values(KIND)),
        /** In the bell and on the page of notifications. */
        shown: flag,
        mail: z.enum(Object.values(MAIL)),
        /** N: it is told whatever one would choose, for the sake of the account. */
        changeable: flag,
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Chooses how the caller is told of one kind; what concerns the account's safety is not among them. */
export const chooseNotification = endpoint({
  path: '/ntf/v1/upd/choice',
  summary: 'Choose how I am told of a kind',
  access: 'signed-in',
  input: z.strictObject({
    kind: z.enum(CHOOSABLE, 'codeFormat'),
    shown: flag,
    mail: z.enum(Object.values(MAIL), 'codeFormat'),
  }),
  output: z.object({}),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'write',
})
