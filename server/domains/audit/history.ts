import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { HISTORY_KINDS, listHistory as endpoint } from '../../../contract/audit.ts'
import { refuse } from '../../../contract/errors.ts'
import { can, type FunctionName } from '../../../contract/permissions.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { administrable } from '../roles/index.ts'
import { findByReading, isAction } from './find.ts'
import { auditPage, type RawAuditRow } from './rows.ts'

type Kind = (typeof HISTORY_KINDS)[number]

/** Permission that is required to administer records of a kind. */
const ADMINISTERS: Record<Kind, FunctionName> = {
  user: 'autho_user_manage',
  partner: 'autho_partner_search',
  notice: 'autho_notice_manage',
  role: 'autho_role_manage',
  affiliation: 'autho_setting_manage',
  setting: 'autho_setting_manage',
}

/** Returns a history to a caller who administers records of its kind (rules/audit#history). */
export const listHistory: Handler<typeof endpoint> = async (call, input) => {
  const { actor, db } = call
  const { recordKind: kind, recordId } = input
  const readsAll = can(actor, 'autho_audit_search')
  if (!readsAll && !can(actor, ADMINISTERS[kind])) refuse('FORBIDDEN')
  const user = kind === 'user' ? await findUser(db, recordId, readsAll ? null : actor) : null
  const isOfIt = user === null ? ROWS[kind](recordId) : isAbout(sql`array[${`user/${user.id}`}]::text[]`)
  return auditPage(call, findByReading(isOfIt, input), input, {
    narrow: (row) => (user === null ? row : onlyAbout(user, row)),
    touched: user === null ? [] : [user.id],
  })
}

/** The user whose history is requested. */
interface HistoryUser {
  id: string
  userId: string
  /** All present and previous login IDs of the account. */
  loginIds: readonly string[]
}

/** Finds a user within the administration scope of `actor` (null: any user). */
async function findUser(
  db: Kysely<Database>,
  called: string,
  actor: SignedIn | null,
): Promise<HistoryUser | null> {
  const found = await db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.login_id as userId',
      sql<string[]>`array(select i.login_id from login_ids i where i.user_id = u.id)`.as('loginIds'),
    ])
    .where('u.login_id', '=', called.toLowerCase())
    .where(actor === null ? sql<boolean>`true` : administrable(actor, sql.ref('u.role_code')))
    .executeTakeFirst()
  return found ?? null
}

/** Removes the other users from a row that names several: they are no part of this history. */
function onlyAbout({ id, userId, loginIds }: HistoryUser, row: RawAuditRow): RawAuditRow {
  const targets = row.target.split(', ')
  if (targets.length < 2 && (row.records ?? []).length < 2) return row
  const detail = row.detail as Record<string, unknown> | null
  const users = detail?.['users']
  return {
    ...row,
    records: [`user/${id}`],
    kind: 'user',
    called: userId,
    target: targets.find((target) => loginIds.includes(target)) ?? userId,
    detail: Array.isArray(users)
      ? { ...detail, users: users.filter((entry: unknown) => loginIds.includes(loginIdOf(entry))) }
      : detail,
  }
}

/** Returns the login ID of an entry of `users`: the ID, a pair that begins with it, or an object that has it as `user`. */
function loginIdOf(entry: unknown): string {
  const id: unknown = Array.isArray(entry)
    ? entry[0]
    : typeof entry === 'object' && entry !== null && 'user' in entry
      ? entry.user
      : entry
  return typeof id === 'string' ? id : ''
}

/**
 * Rows of a history. A record has its own history, by its ID, because another record may have had its name before. Roles,
 * affiliations and settings change rarely and have one history each (design/audit-log#histories).
 */
const ROWS: Record<Kind, (called: string) => RawBuilder<boolean>> = {
  // The user does not exist or is outside the administration scope.
  user: () => sql<boolean>`false`,
  partner: (called) =>
    isAbout(sql`array(select 'partner/' || id from partners where code = ${called.toUpperCase()})`),
  notice: (called) => isAbout(sql`array[${`notice/${called}`}]::text[]`),
  role: () => isAction('role'),
  affiliation: () => isAction('affiliation'),
  // Neither test mails nor the state of the setup guide change a setting.
  setting: () => isAction('setting.update'),
}

const isAbout = (records: RawBuilder<unknown>) => sql<boolean>`records && ${records}`
