import type { NotificationTexts } from '../messages/ko/notifications.ts'
import { can, type FunctionName } from '../permissions.ts'

/** The times at which a kind of notification is mailed (rules/notifications#choices). */
export const MAIL = { atOnce: 'AT_ONCE', daily: 'DAILY', never: 'NEVER' } as const

/** A time at which a kind of notification is mailed. */
export type MailChoice = (typeof MAIL)[keyof typeof MAIL]

/** The reasons for which the server ends a session (rules/account#session-ended). */
export const SESSION_ENDS = ['manager', 'limit', 'moved', 'factor'] as const
/** A reason for which the server ends a session. */
export type SessionEnd = (typeof SESSION_ENDS)[number]

/** The details of a notification in the list; each kind has its own. */
export interface NotificationDetails {
  noticeId?: string | undefined
  title?: string | undefined
  affiliationName?: string | undefined
  reason?: string | undefined
  requestKey?: string | undefined
  partnerCode?: string | undefined
  period?: 'day' | 'week' | 'month' | 'total' | undefined
  mark?: number | undefined
  address?: string | undefined
  device?: string | undefined
  userId?: string | undefined
  name?: string | undefined
  month?: string | undefined
  quarter?: string | undefined
  programName?: string | undefined
  serviceName?: string | undefined
  webhookName?: string | undefined
  providerName?: string | undefined
  expiresAt?: string | undefined
}

/** The page on which a user acts on a notification. */
export type Target =
  | {
      to:
        | '/main'
        | '/mypage'
        | '/key/search'
        | '/integration'
        | '/integration/webhooks'
        | '/key/services'
        | '/setting/manage'
        | '/setting/sso'
    }
  | { to: '/notice/detail'; search: { noticeId: string } }
  | { to: '/partner/detail'; search: { partnerCode: string } }
  | { to: '/access/month'; search: { month: string } }
  | { to: '/user/detail'; search: { userId: string } }
  | { to: '/right/quarter'; search: { quarter: string } }

/** The text of a notification and the page that it links to, the same on the screen and in an email. */
export interface NotificationText {
  words: string
  detail?: string
  target: Target
}

/** The user whose choice decides about a notification. */
export interface Chooser {
  userId: string
  partnerId: string | null
  functions: readonly FunctionName[]
}

/** Returns whether the reader has a permission. */
type Holds = (name: FunctionName) => boolean

/** The description of a kind of notification, used everywhere (rules/notifications#kinds). */
interface KindDescriptor {
  /** Default time of its email; a kind without it is always mailed immediately. */
  mail?: MailChoice
  /** The permission whose holders are notified. */
  holders?: FunctionName
  /** Returns whether a user may ever be notified of it; without it, every user may. */
  concerns?: (user: Chooser) => boolean
  /**
   * True if it is not stored for each user: the list of the records themselves finds it
   * (design/mail-and-notifications#notifications).
   */
  isDerived?: true
  /** True if the change that causes it sends a more detailed email. */
  hasOwnMail?: true
  /** True if it concerns the security of the reader's account: its email is sent even if a thief has read the notification. */
  isSecurity?: true
  describe: (of: NotificationDetails, t: NotificationTexts, holds: Holds) => NotificationText
}

/** The user's own page. */
const MY_PAGE: Target = { to: '/mypage' }
/** Returns the page of the notice that a notification is about. */
const notice = ({ noticeId = '' }: NotificationDetails): Target => ({
  to: '/notice/detail',
  search: { noticeId },
})
/** Returns the key history, or home for a reader without permission for it. */
const keys = (holds: Holds): Target => ({
  to: holds('autho_key_search') || holds('autho_key_own') ? '/key/search' : '/main',
})
/** Returns device and address of a login, without missing ones. */
const deviceOf = ({ device, address }: NotificationDetails) => [device, address].filter(Boolean).join(' · ')
/** Returns the time at which a token expires, to the minute. */
const minuteOf = ({ expiresAt = '' }: NotificationDetails) => expiresAt.slice(0, 16)
/** Returns whether a user has a partner code. */
const hasPartner = ({ partnerId }: Chooser) => partnerId !== null

/** Returns the descriptor of a kind about a comment on a notice. */
const ofComment = (words: (t: NotificationTexts) => (name: string) => string) =>
  ({
    mail: MAIL.daily,
    describe: (of, t) => ({ words: words(t)(of.name ?? ''), detail: of.title ?? '', target: notice(of) }),
  }) satisfies KindDescriptor

/** Every kind of notification by its code on the wire, in the order of the rules. */
const DESCRIPTORS = {
  MUST_READ: {
    mail: MAIL.never,
    isDerived: true,
    describe: (of, t) => ({ words: t.mustRead, detail: of.title ?? '', target: notice(of) }),
  },
  NOTICE_COMMENT: ofComment((t) => t.noticeComment),
  NOTICE_REPLY: ofComment((t) => t.noticeReply),
  NOTICE_MENTION: ofComment((t) => t.noticeMention),
  ACCOUNT_APPROVED: {
    hasOwnMail: true,
    // It is sent before the user can set preferences.
    concerns: () => false,
    describe: (_, t) => ({ words: t.accountApproved, target: { to: '/main' } }),
  },
  AFFILIATION_APPROVED: {
    mail: MAIL.atOnce,
    hasOwnMail: true,
    describe: ({ affiliationName = '' }, t) => ({
      words: t.affiliationApproved(affiliationName),
      target: MY_PAGE,
    }),
  },
  AFFILIATION_REFUSED: {
    mail: MAIL.atOnce,
    hasOwnMail: true,
    describe: ({ affiliationName = '', reason = '' }, t) => ({
      words: t.affiliationRefused(affiliationName),
      detail: t.reason(reason),
      target: MY_PAGE,
    }),
  },
  KEY_REVOKED: {
    mail: MAIL.atOnce,
    describe: ({ requestKey = '', reason = '' }, t, holds) => ({
      words: t.keyRevoked(requestKey),
      detail: t.reason(reason),
      target: keys(holds),
    }),
  },
  KEY_LIMIT: {
    mail: MAIL.atOnce,
    isDerived: true,
    concerns: (user) => hasPartner(user) || can(user, 'autho_partner_search'),
    describe: ({ partnerCode = '', period = 'total', mark = 0 }, t, holds) => ({
      words: t.keyLimit(partnerCode, period, mark),
      target: holds('autho_partner_search')
        ? { to: '/partner/detail', search: { partnerCode } }
        : keys(holds),
    }),
  },
  PROGRAM_ENDING: {
    mail: MAIL.atOnce,
    concerns: hasPartner,
    describe: (of, t) => ({
      words: t.programEnding(of.programName ?? '', minuteOf(of)),
      detail: t.rollOver,
      target: MY_PAGE,
    }),
  },
  PROGRAM_ENDED: {
    mail: MAIL.atOnce,
    concerns: hasPartner,
    describe: ({ programName = '', reason = '' }, t) => ({
      words: t.programEnded(programName),
      detail: reason === '' ? '' : t.reason(reason),
      target: MY_PAGE,
    }),
  },
  PROGRAM_ACCOUNT_ENDING: {
    mail: MAIL.atOnce,
    holders: 'autho_service_manage',
    describe: (of, t) => ({
      words: t.programAccountEnding(of.programName ?? '', of.name ?? '', minuteOf(of)),
      detail: t.rollOver,
      target: { to: '/integration' },
    }),
  },
  SERVICE_ENDING: {
    mail: MAIL.atOnce,
    holders: 'autho_service_manage',
    describe: (of, t) => ({
      words: t.serviceEnding(of.serviceName ?? '', minuteOf(of)),
      detail: t.rollOver,
      target: { to: '/key/services' },
    }),
  },
  WEBHOOK_STOPPED: {
    mail: MAIL.atOnce,
    holders: 'autho_service_manage',
    describe: ({ webhookName = '' }, t) => ({
      words: t.webhookStopped(webhookName),
      target: { to: '/integration/webhooks' },
    }),
  },
  NEW_NETWORK: {
    isSecurity: true,
    describe: (of, t) => ({ words: t.newNetwork, detail: deviceOf(of), target: MY_PAGE }),
  },
  SESSION_ENDED: {
    mail: MAIL.never,
    isSecurity: true,
    describe: (of, t) => ({
      words: t.sessionEnded[SESSION_ENDS.find((end) => end === of.reason) ?? 'manager'],
      detail: deviceOf(of),
      target: MY_PAGE,
    }),
  },
  MAIL_SERVER: {
    holders: 'autho_setting_manage',
    isSecurity: true,
    describe: ({ name = '', address = '' }, t) => ({
      words: t.mailServer(name),
      detail: address,
      target: { to: '/setting/manage' },
    }),
  },
  EMERGENCY_LOGIN: {
    holders: 'autho_setting_manage',
    isSecurity: true,
    describe: (of, t) => ({
      words: t.emergencyLogin(of.name ?? ''),
      detail: deviceOf(of),
      target: { to: '/setting/sso' },
    }),
  },
  SCIM_STOPPED: {
    holders: 'autho_setting_manage',
    isSecurity: true,
    describe: ({ providerName = '' }, t) => ({
      words: t.scimStopped(providerName),
      target: { to: '/setting/sso' },
    }),
  },
  SIGN_UP: {
    mail: MAIL.daily,
    holders: 'autho_user_manage',
    isDerived: true,
    describe: ({ name = '', userId = '' }, t) => ({
      words: t.signUp(name),
      detail: userId,
      target: { to: '/user/detail', search: { userId } },
    }),
  },
  FACTOR_RESET: {
    mail: MAIL.atOnce,
    holders: 'autho_user_manage',
    isDerived: true,
    describe: ({ name = '', userId = '' }, t) => ({
      words: t.factorReset(name),
      detail: userId,
      target: { to: '/user/detail', search: { userId } },
    }),
  },
  INSPECTION: {
    mail: MAIL.daily,
    holders: 'autho_audit_manage',
    isDerived: true,
    describe: ({ month = '' }, t) => ({
      words: t.inspection(month),
      target: { to: '/access/month', search: { month } },
    }),
  },
  REVIEW: {
    mail: MAIL.daily,
    holders: 'autho_role_manage',
    isDerived: true,
    describe: ({ quarter = '' }, t) => ({
      words: t.review(quarter),
      target: { to: '/right/quarter', search: { quarter } },
    }),
  },
} as const satisfies Record<string, KindDescriptor>

/** The code of a kind of notification. */
export type Kind = keyof typeof DESCRIPTORS

/** A kind for which users have preferences. */
export type ChoosableKind = {
  [K in Kind]: (typeof DESCRIPTORS)[K] extends { mail: MailChoice } ? K : never
}[Kind]

/** Returns the descriptor of a kind. */
const descriptorOf = (kind: Kind): KindDescriptor => DESCRIPTORS[kind]
/** Every kind, in the order of the rules. */
export const KINDS = Object.keys(DESCRIPTORS) as Kind[]
/** Returns the kinds whose description has a property. */
const kindsWith = (field: keyof KindDescriptor) =>
  KINDS.filter((kind) => descriptorOf(kind)[field] !== undefined)

/** The kinds for which users have preferences. */
export const CHOOSABLE = kindsWith('mail') as ChoosableKind[]
/** The kinds about the security of the reader's account. */
export const SECURITY_KINDS = kindsWith('isSecurity')
/** The kinds that are not stored for each user. */
export const DERIVED_KINDS = kindsWith('isDerived')

/** Returns the permission whose holders are notified of a kind; undefined for a kind that needs none. */
export const holdersOf = (kind: Kind): FunctionName | undefined => descriptorOf(kind).holders

/** Returns whether the change that causes a kind sends its own email. */
export const hasOwnMail = (kind: Kind): boolean => descriptorOf(kind).hasOwnMail === true

/**
 * Returns the time at which a kind is mailed by default; immediately for a kind without preferences. The default of a
 * user may differ: see `mailOf`.
 */
export const usualMail = (kind: Kind): MailChoice => descriptorOf(kind).mail ?? MAIL.atOnce

/**
 * Returns the time at which a kind is mailed to a user: as chosen, otherwise its default. A kind without preferences is
 * always mailed immediately. Users who do not manage partners get no email about their limits by default.
 * @param chosen the user's choices, by kind
 */
export function mailOf(
  kind: Kind,
  chooser: Chooser,
  chosen: Partial<Record<string, MailChoice>>,
): MailChoice {
  if (descriptorOf(kind).mail === undefined) return MAIL.atOnce
  // A partner has many users, who cannot raise its limit.
  const isReader = kind === 'KEY_LIMIT' && !can(chooser, 'autho_partner_search')
  return chosen[kind] ?? (isReader ? MAIL.never : usualMail(kind))
}

/**
 * Returns whether a user may ever be notified of a kind: the user has its permission, or the kind concerns
 * the user.
 */
export function mayConcern(kind: Kind, user: Chooser): boolean {
  const { holders, concerns } = descriptorOf(kind)
  return holders === undefined ? (concerns?.(user) ?? true) : can(user, holders)
}

/**
 * Returns the text of a notification in the language of `t`, its detail ('' if none), and the page that it links to for
 * this reader.
 * @param holds returns whether the reader has a permission
 */
export function describe(
  notification: NotificationDetails & { kind: Kind },
  t: NotificationTexts,
  holds: Holds,
): Required<NotificationText> {
  return { detail: '', ...descriptorOf(notification.kind).describe(notification, t, holds) }
}
