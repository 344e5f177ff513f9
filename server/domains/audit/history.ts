import { type RawBuilder, sql } from 'kysely'
import type { HISTORY_KINDS, listHistory as endpoint } from '../../../contract/audit.ts'
import { refuse } from '../../../contract/errors.ts'
import { can, type FunctionName } from '../../../contract/permissions.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { administrable } from '../roles/index.ts'
import { findByReading } from './find.ts'
import { auditPage } from './rows.ts'

type Kind = (typeof HISTORY_KINDS)[number]

/** Who administers records of a kind. */
const ADMINISTERS: Record<Kind, FunctionName> = {
  user: 'autho_user_manage',
  partner: 'autho_partner_search',
  notice: 'autho_notice_manage',
}

/** The history of a record, by its ID: whoever bore its name before is somebody else (rules/audit#history). */
export const listHistory: Handler<typeof endpoint> = async ({ db, actor, language }, input) => {
  const { recordKind: kind, recordId } = input
  const readsAll = can(actor, 'autho_audit_search')
  if (!readsAll && !can(actor, ADMINISTERS[kind])) refuse('FORBIDDEN')
  const record = RECORDS[kind](recordId, readsAll ? null : actor)
  return auditPage(db, findByReading(sql<boolean>`records && ${record}`, input), input, language)
}

/** The record that is called so and within the reach of somebody (null: of everybody), as an array of SQL. */
const RECORDS: Record<Kind, (called: string, actor: SignedIn | null) => RawBuilder<unknown>> = {
  user: (called, actor) => {
    const isWithin = actor === null ? sql`true` : administrable(actor, sql.ref('role_code'))
    return sql`array(select 'user/' || id from users where login_id = ${called.toLowerCase()} and ${isWithin})`
  },
  partner: (called) => sql`array(select 'partner/' || id from partners where code = ${called.toUpperCase()})`,
  notice: (called) => sql`array[${`notice/${called}`}]::text[]`,
}
