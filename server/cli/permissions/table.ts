import type { Endpoint } from '../../../contract/endpoint.ts'
import { type Domain, endpoints } from '../../../contract/index.ts'
import type { FunctionName } from '../../../contract/permissions.ts'
import { roles } from '../../db/seed/roles.ts'

/**
 * Whether a role may make a call. `may`: for every record; `own`: only for the caller's record; `no`: it is refused.
 */
export type Decision = 'may' | 'own' | 'no'

/** A call, and which roles may make it. */
export interface PermissionRow {
  domain: Domain
  name: string
  path: string
  summary: string
  /** Decision without a session. */
  nobody: Decision
  /** Decisions by role code, for the roles of a new installation. */
  roles: Record<string, Decision>
}

/**
 * Returns whether the contract lets a role make a call. A handler may refuse it for single records.
 * @param functions permissions of the role; null for a caller without a login
 */
export function decisionOf(
  { access, others }: Endpoint,
  functions: readonly FunctionName[] | null,
): Decision {
  if (access === 'public') return 'may'
  // A service authenticates with a token of its own. A session does not replace it.
  if (functions === null || access === 'service') return 'no'
  const holds = (names: readonly FunctionName[]) => names.some((name) => functions.includes(name))
  if (access === 'provider' || (access !== 'signed-in' && !holds(access.function))) return 'no'
  return others === undefined || holds(others) ? 'may' : 'own'
}

/** Returns permissions as a text. */
const inWords = (functions: readonly FunctionName[]) => functions.map((name) => `\`${name}\``).join(' or ')

/** Returns the callers who may make a call, in the words of the tables in docs/rules, such as `signed in` or the permissions. */
export function whoMay({ access, programs, others }: Endpoint): string {
  if (access === 'public') return 'anybody'
  if (access === 'service') return 'a service'
  if (access === 'provider') return 'an identity provider'
  if (programs === true) return 'signed in, or a program'
  const callers = access === 'signed-in' ? 'signed in' : inWords(access.function)
  return others === undefined ? callers : `${callers}, about others ${inWords(others)}`
}

/** Returns the decisions for every call of the contract and every role of a new installation, by path. */
export function permissionTable(): PermissionRow[] {
  // Sorted, because the order of a module's exports depends on its loader.
  const sorted = endpoints.toSorted((a, b) => (a.endpoint.path < b.endpoint.path ? -1 : 1))
  return sorted.map(({ domain, name, endpoint }) => ({
    domain,
    name,
    path: endpoint.path,
    summary: endpoint.summary,
    nobody: decisionOf(endpoint, null),
    roles: Object.fromEntries(roles.map(({ code, functions }) => [code, decisionOf(endpoint, functions)])),
  }))
}

/** Cells of the table by decision. */
const WORDS: Record<Decision, string> = { may: 'yes', own: 'own', no: '–' }

/** Returns a row of a Markdown table. */
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Returns the table of `permissionTable` as a Markdown document. */
export function permissionsText(): string {
  const names = ['no session', ...roles.map(({ groupName }) => groupName)]
  const table = permissionTable().map((row) =>
    line([
      `\`${row.path}\``,
      row.summary,
      WORDS[row.nobody],
      ...roles.map(({ code }) => WORDS[row.roles[code] ?? 'no']),
    ]),
  )
  return `${[
    '# Who may make which call',
    '',
    'Made from the contract by `npm run permissions`; a test walks every role against every call on the running server.',
    'Roles as a new installation has them: functions that are granted or revoked on /role/manage change them at once.',
    '',
    '**yes**: allowed, within reach: nobody administers their own account or one whose role is above their own (docs/design/roles-and-reach.md).',
    '**own**: only about one’s own record. **–**: refused: 401 without a session, else 403, or 400 FUNCTION_DENIED for',
    'the two calls of rules/roles#deny-by-default. `/kmn/v1/chk/Key` is for services with a token of their own,',
    '`/kmn/v1/ins/Key` also for programs with one, in the name of its person.',
    '',
    line(['call', '', ...names]),
    line(Array.from({ length: names.length + 2 }, () => '---')),
    ...table,
  ].join('\n')}\n`
}
