import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag } from './fields.ts'
import { FUNCTIONS } from './permissions.ts'

export { ALL } from './fields.ts'

/** Code groups (rules/wire#code-lists): affiliations and approval statuses. */
export const CODE_GROUP = { affiliation: 'COMBEL001', approval: 'KAMEMTY001' } as const

/** Code and its name in the person's language. */
const codeItem = z.object({ code: z.string(), codeName: z.string() })

/**
 * Affiliations are public, for the sign-up form; every other group needs a session, which the handler checks
 * (rules/wire#code-lists). The only public call without a limit (rules/wire#call-limits): every screen asks for lists.
 */
export const listCodes = endpoint({
  path: '/cm/v1/codes',
  summary: 'A code list',
  access: 'public',
  input: z.strictObject({
    codeGroup: z.enum(Object.values(CODE_GROUP), 'codeFormat'),
    /** true or "Y" puts ALL first. */
    includeAll: z._default(flag, false),
  }),
  output: z.array(codeItem),
  errors: ['SESSION_REQUIRED', 'PASSWORD_CHANGE_REQUIRED', 'FACTOR_SETUP_REQUIRED'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** The menu groups that the caller's role may open (rules/frame#header). */
export const listMenus = endpoint({
  path: '/cm/v1/header',
  summary: 'Menu of the page frame',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.array(
    z.object({
      groupTitle: z.string(),
      items: z.array(z.object({ itemTitle: z.string(), url: z.string() })),
    }),
  ),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  duringPasswordChange: true,
})

/** Whether the caller's role holds a function: 400 = denied (rules/roles#function-check). */
export const checkFunction = endpoint({
  path: '/cm/v1/chk/authority',
  summary: 'Check a function permission',
  access: 'signed-in',
  input: z.strictObject({ functionName: z.enum(FUNCTIONS, 'codeFormat') }),
  output: z.object({}),
  errors: ['FUNCTION_DENIED'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Who the caller is. groupName is Korean in every language: the page decides by it. */
export const getAuthority = endpoint({
  path: '/cm/v1/get/authority',
  summary: 'Who I am and what I may do',
  access: 'signed-in',
  input: z.strictObject({}),
  output: z.object({
    userId: z.string(),
    name: z.string(),
    groupName: z.string(),
    /** The group's name in the person's language. */
    groupLabel: z.string(),
    functions: z.array(z.enum(FUNCTIONS)),
    /** While the portal is being set up, for those who may: whether the guide leads or was put off (rules/settings#guide). */
    setup: z.optional(z.enum(['open', 'later'])),
    /** Mails become files, so that nobody is invited: there for those who register people (rules/users#invitation). */
    mailMissing: z.optional(flag),
    /** The last day without the second factor that they have to have and lack (rules/account#required-factor). */
    factorDay: z.optional(z.string()),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  duringPasswordChange: true,
})

/** A session as the page watches it: what it may do now, and how long it lives. */
const watched = z.object({
  groupName: z.string(),
  functions: z.array(z.enum(FUNCTIONS)),
  /** Until it ends unless it is used, by the server's clock. */
  idleSeconds: z.number(),
  /** Until it ends in any case. */
  absoluteSeconds: z.number(),
})

/**
 * Whether the session is still alive and what it may do now (rules/account#session-watch). The page asks once a minute,
 * so that somebody who only looks learns of the end of the session and sees a menu that is true.
 */
export const checkSession = endpoint({
  path: '/cm/v1/chk/session',
  summary: 'Whether the session lives, without using it',
  access: 'signed-in',
  input: z.strictObject({}),
  output: watched,
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  duringPasswordChange: true,
  leavesSessionIdle: true,
})

/** The same for a page at which somebody is busy: what they do there uses the session (rules/account#activity). */
export const extendSession = endpoint({
  path: '/cm/v1/ext/session',
  summary: 'Use the session and ask how long it lives',
  access: 'signed-in',
  input: z.strictObject({}),
  output: watched,
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
  duringPasswordChange: true,
})
