import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag } from './fields.ts'
import { FUNCTIONS } from './permissions.ts'

export { ALL } from './fields.ts'

/** Code groups (rules/wire#code-lists): affiliations and approval statuses. */
export const CODE_GROUP = { affiliation: 'COMBEL001', approval: 'KAMEMTY001' } as const

/** A code and its name in the caller's language. */
const codeItem = z.object({
  code: z.string(),
  codeName: z.string(),
  /** Number of affiliations above this one; only in a list `asTree`. */
  depth: z.optional(z.number()),
})

/**
 * Returns rows in the order of their tree: each is followed by those below it, which keep their order. A row whose
 * parent is not among them is at the top. Rows of a cycle are left out.
 * @param codeOf returns the code of a row, by which `parentCode` names it
 * @returns the rows with their `depth`: 0 at the top
 */
export function toTree<Row extends { parentCode: string | null }>(
  rows: readonly Row[],
  codeOf: (row: Row) => string,
): (Row & { depth: number })[] {
  const known = new Set(rows.map(codeOf))
  const below = Map.groupBy(rows, ({ parentCode }) => (known.has(parentCode ?? '') ? parentCode : null))
  const list = (parent: string | null, depth: number): (Row & { depth: number })[] =>
    (below.get(parent) ?? []).flatMap((row) => [{ ...row, depth }, ...list(codeOf(row), depth + 1)])
  return list(null, 0)
}

/**
 * Lists the entries of a code group. Affiliations are public, for the sign-up form; every other group needs a session,
 * which the handler checks (SESSION_REQUIRED, rules/wire#code-lists). This is the only public call without a limit
 * (rules/wire#call-limits), because every screen calls it.
 */
export const listCodes = endpoint({
  path: '/cm/v1/codes',
  summary: 'Read a code list',
  access: 'public',
  input: z.strictObject({
    codeGroup: z.enum(Object.values(CODE_GROUP), 'codeFormat'),
    /** true or "Y" adds ALL as the first entry, and closed affiliations, for filters. */
    includeAll: z._default(flag, false),
    /** True for each affiliation after the one above it, with its depth (rules/affiliations#tree). */
    asTree: z._default(flag, false),
  }),
  output: z.array(codeItem),
  errors: [
    'SESSION_REQUIRED',
    'PASSWORD_CHANGE_REQUIRED',
    'FACTOR_SETUP_REQUIRED',
    'PRIVACY_ACCEPTANCE_REQUIRED',
  ],
  audit: 'none',
  personal: 'none',
})

/** Lists the menu groups that the caller's role may open (rules/frame#header). */
export const listMenus = endpoint({
  path: '/cm/v1/header',
  summary: 'Read the menu',
  access: 'signed-in',
  output: z.array(
    z.object({
      groupTitle: z.string(),
      items: z.array(z.object({ itemTitle: z.string(), url: z.string() })),
    }),
  ),
  audit: 'none',
  personal: 'none',
  duringPasswordChange: true,
})

/**
 * Checks whether the caller's role has a permission (rules/roles#function-check): FUNCTION_DENIED, with
 * status 400, if it does not.
 */
export const checkFunction = endpoint({
  path: '/cm/v1/chk/authority',
  summary: 'Check a function permission',
  access: 'signed-in',
  input: z.strictObject({ functionName: z.enum(FUNCTIONS, 'codeFormat') }),
  errors: ['FUNCTION_DENIED'],
  audit: 'none',
  personal: 'none',
})

/** Returns the caller's identity and role. groupName is Korean in every language, because the page compares it. */
export const getAuthority = endpoint({
  path: '/cm/v1/get/authority',
  summary: 'Read my account and permissions',
  access: 'signed-in',
  output: z.object({
    userId: z.string(),
    name: z.string(),
    groupName: z.string(),
    /** Name of the group in the caller's language. */
    groupLabel: z.string(),
    functions: z.array(z.enum(FUNCTIONS)),
    /** Codes of the affiliations that the caller's branch role reaches; absent for the whole company (rules/roles#branch-roles). */
    within: z.optional(z.array(z.string())),
    /**
     * State of the setup guide while the portal is being set up, for callers who may do that: open or postponed
     * (rules/settings#guide).
     */
    setup: z.optional(z.enum(['open', 'later'])),
    /** True if emails become files, so that users cannot be invited; only for callers who register users (rules/users#invitation). */
    mailMissing: z.optional(flag),
    /**
     * The last day on which the caller may log in without the required second factor; only while it is missing
     * (rules/account#required-factor).
     */
    factorDay: z.optional(z.string()),
  }),
  audit: 'none',
  personal: 'none',
  duringPasswordChange: true,
})

/**
 * The state of a session for its page, as `checkSession` and `extendSession` return it: its permissions, and when it
 * expires.
 */
const watched = z.object({
  groupName: z.string(),
  functions: z.array(z.enum(FUNCTIONS)),
  /** Seconds until the session expires unless it is used, by the server's clock. */
  idleSeconds: z.number(),
  /** Seconds until the session expires in any case. */
  absoluteSeconds: z.number(),
})

/**
 * Checks the session and returns its current permissions (rules/account#session-watch). The page polls once a minute,
 * so that a user who only reads notices the end of the session and sees the correct menu. Does not restart the idle
 * timer.
 */
export const checkSession = endpoint({
  path: '/cm/v1/chk/session',
  summary: 'Check the session without using it',
  access: 'signed-in',
  output: watched,
  audit: 'none',
  personal: 'none',
  duringPasswordChange: true,
  leavesSessionIdle: true,
})

/**
 * Checks the session as `checkSession` does, and restarts its idle timer: the page calls it while the user is active
 * (rules/account#activity).
 */
export const extendSession = endpoint({
  path: '/cm/v1/ext/session',
  summary: 'Use the session and read its time left',
  access: 'signed-in',
  output: watched,
  audit: 'none',
  personal: 'none',
  duringPasswordChange: true,
})
