import { type RawBuilder, sql } from 'kysely'
import type { HISTORY_KINDS, listHistory as endpoint } from '../../../contract/audit.ts'
import { refuse } from '../../../contract/errors.ts'
import { type Actor, can, type FunctionName, USER_READERS } from '../../../contract/permissions.ts'
import type { Db } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { managesNotice } from '../../db/notice-visibility.ts'
import { inBranch, readable } from '../roles/index.ts'
import { findByReading, isAction } from './find.ts'
import { listedUsers } from './listed-users.ts'
import { auditPage, type RawAuditRow } from './rows.ts'

/** Kind of records that have a history. */
type Kind = (typeof HISTORY_KINDS)[number]

/** Permissions of which one is required to read the history of records of a kind. */
const READERS: Record<Kind, readonly FunctionName[]> = {
  user: USER_READERS,
  partner: ['autho_partner_search'],
  notice: ['autho_notice_manage'],
  role: ['autho_role_manage'],
  affiliation: ['autho_setting_manage'],
  setting: ['autho_setting_manage'],
}

/**
 * Returns a page of the audit rows about a record, newest first, to a caller who may search the audit log, or who
 * administers records of its kind (rules/audit#history). Empty for a record that does not exist or is out of the
 * caller's reach.
 * @throws {Refusal} FORBIDDEN for a caller without either permission
 */
export const listHistory: Handler<typeof endpoint> = async (call, input) => {
  const { actor, db } = call
  const { recordKind: kind, recordId } = input
  const readsAll = can(actor, 'autho_audit_search')
  if (!readsAll && !READERS[kind].some((name) => can(actor, name))) refuse('FORBIDDEN')
  const user = kind === 'user' ? await findUser(db, recordId, readsAll ? null : actor) : null
  const branch = readsAll ? { ...actor, within: null } : actor
  const isOfIt =
    user === null ? ROWS[kind](recordId, branch) : isAbout(sql`array[${`user/${user.id}`}]::text[]`)
  return auditPage(call, findByReading(isOfIt, input), input, {
    narrow: (row) => (user === null ? withinBranch(branch, row) : onlyAbout(user, row)),
    touched: user === null ? [] : [user.id],
  })
}

/** The user whose history is requested. */
interface HistoryUser {
  id: string
  userId: string
}

/**
 * Returns the user with a login ID whom the actor may read.
 * @param called login ID
 * @param actor null for any user
 * @returns null if there is none
 */
async function findUser(db: Db, called: string, actor: SignedIn | null): Promise<HistoryUser | null> {
  const found = await db
    .selectFrom('users as u')
    .select(['u.id', 'u.loginId as userId'])
    .where('u.loginId', '=', called.toLowerCase())
    .where(actor === null ? sql<boolean>`true` : readable(actor, 'u'))
    .executeTakeFirst()
  return found ?? null
}

/**
 * Returns a row without its details and target if it is about several records and the actor has a branch role: some of
 * them may be of another branch.
 */
const withinBranch = ({ within }: Pick<Actor, 'within'>, row: RawAuditRow): RawAuditRow =>
  within === null || (row.records ?? []).length < 2 ? row : { ...row, records: [], target: '', detail: {} }

/** Returns a row that is about several users without the others, because they do not belong to this history. */
function onlyAbout({ id, userId }: HistoryUser, row: RawAuditRow): RawAuditRow {
  const detail = Object.entries(row.detail as Record<string, unknown>)
  const entry = detail.flatMap(([, value]) => listedUsers(value)).find((user) => user.id === id)
  if (entry === undefined && (row.records ?? []).length < 2) return row
  return {
    ...row,
    records: [`user/${id}`],
    kind: 'user',
    called: userId,
    target: entry?.loginId ?? userId,
    detail: Object.fromEntries(
      detail.map(([name, value]) => {
        // The requests and partners of a list of users are of all of them.
        return [name, Array.isArray(value) ? listedUsers(value).filter((user) => user.id === id) : value]
      }),
    ),
  }
}

/**
 * SQL conditions for the rows of a history. A record has its own history, by its ID, because another record may have
 * had its name before. Roles, affiliations and settings change rarely and have one history each
 * (design/audit-log#histories).
 */
const ROWS: Record<Kind, (called: string, actor: Actor) => RawBuilder<boolean>> = {
  // The user does not exist or is outside the administration scope.
  user: () => sql<boolean>`false`,
  partner: (called, branch) =>
    isAbout(sql`array(select 'partner/' || id from partners where code = ${called.toUpperCase()}
      and ${inBranch(branch, sql.ref('affiliationCode'))})`),
  notice: (called, actor) =>
    actor.within === null
      ? isAbout(sql`array[${`notice/${called}`}]::text[]`)
      : isAbout(
          sql`array(select 'notice/' || id from notices where id::text = ${called} and ${managesNotice(actor)})`,
        ),
  role: () => isAction('role'),
  affiliation: () => isAction('affiliation'),
  // Neither test mails nor the state of the setup guide change a setting.
  setting: () => isAction('setting.update'),
}

/**
 * Returns the SQL condition that a row is about one of these records.
 * @param records SQL array of records such as 'user/7'
 */
const isAbout = (records: RawBuilder<unknown>) => sql<boolean>`records && ${records}`
