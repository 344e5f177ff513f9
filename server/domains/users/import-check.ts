import type { Kysely } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { OutputOf, ParsedInputOf } from '../../../contract/endpoint.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
import type { Actor } from '../../../contract/permissions.ts'
import {
  type checkImport as endpoint,
  datesInOrder,
  IMPORT_COLUMNS,
  type ImportColumn,
  importedUser,
} from '../../../contract/users.ts'
import { validationText } from '../../../contract/validation.ts'
import { withinReach } from '../../db/reach.ts'
import type { Database } from '../../db/types.ts'

type Row = ParsedInputOf<typeof endpoint>['ROWS'][number]
type ImportError = OutputOf<typeof endpoint>['ERRORS'][number]

/** A row that may be registered, with what the database calls its partner. */
export interface ImportUser extends Record<ImportColumn, string> {
  partnerId: string
}

const schema = importedUser.check(datesInOrder)

/**
 * Checks every row by the rules of the form and by what the database holds: IDs and e-mails that are taken or come
 * twice, unknown affiliations and partners, roles that are unknown or not the actor's to grant (decisions §5).
 * @returns the users, and what is wrong, by row; users are to be written only when nothing is
 */
export async function checkRows(
  db: Kysely<Database>,
  actor: Actor,
  rows: readonly Row[],
  messages: Messages,
): Promise<{ users: ImportUser[]; errors: ImportError[] }> {
  const known = await lookUp(db, actor, rows)
  const seen = { USER_ID: new Map<string, number>(), E_MAIL: new Map<string, number>() }
  const errors: ImportError[] = []
  const users: ImportUser[] = []

  for (const [index, row] of rows.entries()) {
    const ROW = index + 1
    const own = new Map<ImportColumn, string>()
    const wrong = (field: ImportColumn, msg: string) => {
      // The first thing that is wrong with a cell is enough.
      if (!own.has(field)) own.set(field, msg)
    }
    const named = {
      ...row,
      BELONGTO_CODE: known.affiliations.get(nameKey(row.BELONGTO_CODE)) ?? row.BELONGTO_CODE,
      AUTHORITYS_CODE: known.roles.get(nameKey(row.AUTHORITYS_CODE)) ?? row.AUTHORITYS_CODE,
    }
    for (const field of ['BELONGTO_CODE', 'AUTHORITYS_CODE'] as const) {
      const list = field === 'BELONGTO_CODE' ? known.affiliations : known.roles
      if (row[field].trim() !== '' && !list.has(nameKey(row[field]))) {
        wrong(field, messages.errors.CODE_NOT_FOUND)
      }
    }
    const parsed = schema.safeParse(named)
    for (const issue of parsed.error?.issues ?? []) {
      const field = IMPORT_COLUMNS.find((column) => column === issue.path[0])
      if (field !== undefined) wrong(field, validationText(messages, issue.message))
    }
    const user = parsed.data ?? named
    for (const field of ['USER_ID', 'E_MAIL'] as const) {
      const value = user[field].trim().toLowerCase()
      if (value === '') continue
      const first = seen[field].get(value)
      if (first !== undefined) wrong(field, messages.users.import.twice(first))
      else seen[field].set(value, ROW)
    }
    if (known.userIds.has(user.USER_ID.trim().toLowerCase())) wrong('USER_ID', messages.errors.USER_ID_TAKEN)
    if (known.emails.has(user.E_MAIL.trim().toLowerCase())) wrong('E_MAIL', messages.errors.EMAIL_TAKEN)
    const partnerId = known.partners.get(partnerKey(user.BELONGTO_CODE, user.PARTNER_CODE))
    // Of no affiliation there are no partners: that is said of the affiliation.
    if (partnerId === undefined && !own.has('BELONGTO_CODE'))
      wrong('PARTNER_CODE', messages.users.import.partnerUnknown)

    for (const FIELD of IMPORT_COLUMNS) {
      const MSG = own.get(FIELD)
      if (MSG !== undefined) errors.push({ ROW, FIELD, MSG })
    }
    if (own.size === 0 && parsed.success && partnerId !== undefined) users.push({ ...parsed.data, partnerId })
  }
  return { users, errors }
}

const nameKey = (name: string) => name.trim().toLowerCase()
const partnerKey = (affiliation: string, code: string) => `${affiliation} ${code.trim().toUpperCase()}`

/** What the database knows of the rows, asked once for all of them. */
async function lookUp(db: Kysely<Database>, actor: Actor, rows: readonly Row[]) {
  const column = (name: 'USER_ID' | 'E_MAIL') => rows.map((row) => row[name].trim().toLowerCase())
  // One after the other: in a transaction they share one connection.
  const affiliations = await db
    .selectFrom('codes')
    .select(['code', 'name_ko', 'name_en'])
    .where('group_code', '=', CODE_GROUP.affiliation)
    .execute()
  const roles = await db
    .selectFrom('roles')
    .select(['code', 'group_name as name_ko', 'name_en'])
    .where((eb) => withinReach(actor, eb.ref('code')))
    .execute()
  const partners = await db
    .selectFrom('partners')
    .select(['id', 'code', 'affiliation_code'])
    .where('code', 'in', [...new Set(rows.map((row) => row.PARTNER_CODE.trim().toUpperCase()))])
    .execute()
  const ids = await db
    .selectFrom('users')
    .select('login_id')
    .where('login_id', 'in', column('USER_ID'))
    .execute()
  const emails = await db
    .selectFrom('users')
    .select('email')
    .where('withdrawn_at', 'is', null)
    .where('email', 'in', column('E_MAIL'))
    .execute()
  return {
    affiliations: byNames(affiliations),
    roles: byNames(roles),
    partners: new Map(
      partners.map(({ id, code, affiliation_code }) => [partnerKey(affiliation_code, code), id]),
    ),
    userIds: new Set(ids.map(({ login_id }) => login_id)),
    emails: new Set(emails.map(({ email }) => email)),
  }
}

/** Codes by code and by name in either language: a file may have come from somebody who reads the other. */
function byNames(list: readonly { code: string; name_ko: string; name_en: string }[]): Map<string, string> {
  return new Map(
    list.flatMap(({ code, name_ko, name_en }) =>
      [name_en, name_ko, code].map((name): [string, string] => [nameKey(name), code]),
    ),
  )
}
