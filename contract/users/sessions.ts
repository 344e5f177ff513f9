import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { UNREACHABLE } from '../refusal-lists.ts'
import { flag, recordId, timestamp, userId } from '../fields.ts'
import { accountAction } from './admin-actions.ts'

/** Access policy: callers with the permission to manage users. */
const manage = { function: ['autho_user_manage'] } as const

/**
 * Lists the live sessions of another user, last used first (rules/users#user-sessions). FORBIDDEN or USER_NOT_FOUND for
 * an account that the caller may not administer.
 */
export const listUserSessions = endpoint({
  path: '/stm/v1/get/user/sessions',
  summary: 'Devices of a user',
  title: { ko: '사용자의 기기 목록 조회', en: 'Viewed the devices of a user' },
  access: manage,
  input: z.strictObject({ userId }),
  output: z.object({
    sessions: z.array(
      z.object({
        sessionId: recordId,
        /** Browser and system, as the browser names them; '' if it does not. */
        device: z.string(),
        address: z.string(),
        /** True if the user had logged in from its network before. */
        placeKnown: flag,
        loggedInAt: timestamp,
        /** Rounded to half a minute. */
        lastUsedAt: timestamp,
      }),
    ),
  }),
  errors: UNREACHABLE,
  audit: 'none',
  personal: ['read', 'in.userId'],
})

/**
 * Ends one session of another user, and notifies the user on the portal (rules/users#end-a-session). Needs
 * reauthentication, else CONFIRMATION_REQUIRED. SESSION_NOT_FOUND if it has ended. FORBIDDEN or USER_NOT_FOUND for an
 * account that the caller may not administer.
 */
export const endUserSession = endpoint({
  path: '/stm/v1/end/session',
  summary: 'Log a user out on one device',
  title: { ko: '사용자의 기기 하나 로그아웃', en: 'Logged a user out on one device' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...accountAction, sessionId: recordId }),
  errors: [...UNREACHABLE, 'SESSION_NOT_FOUND'],
  audit: 'user.end-sessions',
  personal: ['change', 'in.userId'],
})

/**
 * Ends all sessions and trusted devices of another user, and notifies the user on the portal if a session was live
 * (rules/users#end-all-sessions). Needs reauthentication, else CONFIRMATION_REQUIRED. `endedCount` is the number of
 * live sessions; 0 is no error. FORBIDDEN or USER_NOT_FOUND for an account that the caller may not administer.
 */
export const endUserSessions = endpoint({
  path: '/stm/v1/end/sessions',
  summary: 'Log a user out everywhere',
  title: { ko: '사용자 로그아웃', en: 'Logged a user out' },
  access: manage,
  confirmed: 'always',
  input: z.strictObject(accountAction),
  output: z.object({ endedCount: z.number() }),
  errors: UNREACHABLE,
  audit: 'user.end-sessions',
  personal: ['change', 'in.userId'],
})
