import type { NotificationTexts } from '../messages/ko/notifications.ts'
import type { FunctionName } from '../permissions.ts'
import { KIND, type Kind } from './kinds.ts'

/** A notification as the list answers it. */
export interface Said {
  kind: Kind
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
  expiresAt?: string | undefined
}

/** The page where a notification is dealt with. */
export type Target =
  | { to: '/main' | '/mypage' | '/key/search' | '/key/services' | '/user/approval' }
  | { to: '/notice/detail'; search: { noticeId: string } }
  | { to: '/partner/detail'; search: { partnerCode: string } }
  | { to: '/access/month'; search: { month: string } }
  | { to: '/user/detail'; search: { userId: string } }
  | { to: '/right/quarter'; search: { quarter: string } }

/** What a notification says, and where it leads (rules/notifications#kinds): in the page as in a mail. */
export interface Described {
  words: string
  detail: string
  target: Target
}

/**
 * Puts a notification into words.
 * @param holds whether the reader holds a function
 */
export function describe(one: Said, t: NotificationTexts, holds: (name: FunctionName) => boolean): Described {
  const { reason = '', affiliationName = '', partnerCode = '', title = '', name = '' } = one
  const { programName = '', serviceName = '', expiresAt = '' } = one
  const notice: Target = { to: '/notice/detail', search: { noticeId: one.noticeId ?? '' } }
  const keys: Target = { to: holds('autho_key_search') ? '/key/search' : '/main' }
  switch (one.kind) {
    case KIND.mustRead:
      return { words: t.mustRead, detail: title, target: notice }
    case KIND.noticeComment:
      return { words: t.noticeComment(name), detail: title, target: notice }
    case KIND.accountApproved:
      return { words: t.accountApproved, detail: '', target: { to: '/main' } }
    case KIND.affiliationApproved:
      return { words: t.affiliationApproved(affiliationName), detail: '', target: { to: '/mypage' } }
    case KIND.affiliationRefused: {
      const words = t.affiliationRefused(affiliationName)
      return { words, detail: t.reason(reason), target: { to: '/mypage' } }
    }
    case KIND.keyRevoked:
      return { words: t.keyRevoked(one.requestKey ?? ''), detail: t.reason(reason), target: keys }
    case KIND.keyLimit: {
      const words = t.keyLimit(partnerCode, one.period ?? 'total', one.mark ?? 0)
      const isManager = holds('autho_partner_search')
      return {
        words,
        detail: '',
        target: isManager ? { to: '/partner/detail', search: { partnerCode } } : keys,
      }
    }
    case KIND.programEnding: {
      const words = t.programEnding(programName, expiresAt.slice(0, 16))
      return { words, detail: t.rollOver, target: { to: '/mypage' } }
    }
    case KIND.programEnded:
      return {
        words: t.programEnded(programName),
        detail: reason === '' ? '' : t.reason(reason),
        target: { to: '/mypage' },
      }
    case KIND.serviceEnding: {
      const words = t.serviceEnding(serviceName, expiresAt.slice(0, 16))
      return { words, detail: t.rollOver, target: { to: '/key/services' } }
    }
    case KIND.newNetwork: {
      const detail = [one.device, one.address].filter(Boolean).join(' · ')
      return { words: t.newNetwork, detail, target: { to: '/mypage' } }
    }
    case KIND.sessionEnded: {
      const detail = [one.device, one.address].filter(Boolean).join(' · ')
      return { words: t.sessionEnded[sessionEndOf(reason)], detail, target: { to: '/mypage' } }
    }
    case KIND.inspection: {
      const { month = '' } = one
      return { words: t.inspection(month), detail: '', target: { to: '/access/month', search: { month } } }
    }
    case KIND.review: {
      const { quarter = '' } = one
      return { words: t.review(quarter), detail: '', target: { to: '/right/quarter', search: { quarter } } }
    }
    case KIND.factorReset: {
      const { userId = '' } = one
      return {
        words: t.factorReset(name),
        detail: userId,
        target: { to: '/user/detail', search: { userId } },
      }
    }
    case KIND.signUp:
      return { words: t.signUp(name), detail: one.userId ?? '', target: { to: '/user/approval' } }
  }
}

/** Why a session ended that its person did not end themselves (rules/account#session-ended). */
export const SESSION_ENDS = ['manager', 'limit', 'moved', 'factor'] as const
/** See `SESSION_ENDS`. */
export type SessionEnd = (typeof SESSION_ENDS)[number]

const sessionEndOf = (reason: string): SessionEnd => SESSION_ENDS.find((end) => end === reason) ?? 'manager'
