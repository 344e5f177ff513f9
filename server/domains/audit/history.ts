import { type RawBuilder, sql } from 'kysely'
import type { HISTORY_KINDS, listHistory as endpoint } from '../../../contract/audit.ts'
import { refuse } from '../../../contract/errors.ts'
import { can, type FunctionName } from '../../../contract/permissions.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { administrable } from '../roles/index.ts'
import { findByReading, isAction } from './find.ts'
import { auditPage } from './rows.ts'

type Kind = (typeof HISTORY_KINDS)[number]

/** Who administers records of a kind. */
const ADMINISTERS: Record<Kind, FunctionName> = {
  user: 'autho_user_manage',
  partner: 'autho_partner_search',
  notice: 'autho_notice_manage',
  role: 'autho_role_manage',
  affiliation: 'autho_setting_manage',
  setting: 'autho_setting_manage',
}

/** A history, read by who administers what it is of (rules/audit#history). */
export const listHistory: Handler<typeof endpoint> = async (call, input) => {
  const { actor } = call
  const { recordKind: kind, recordId } = input
  const readsAll = can(actor, 'autho_audit_search')
  if (!readsAll && !can(actor, ADMINISTERS[kind])) refuse('FORBIDDEN')
  const isOfIt = ROWS[kind](recordId, readsAll ? null : actor)
  return auditPage(call, findByReading(isOfIt, input), input)
}

/**
 * The rows of a history. A record within the reach of somebody (null: of everybody) has its own, by its ID: whoever bore its
 * name before is somebody else. Roles, affiliations and settings are few changes, and have one history each (ADR 075).
 */
const ROWS: Record<Kind, (called: string, actor: SignedIn | null) => RawBuilder<boolean>> = {
  user: (called, actor) => {
    const isWithin = actor === null ? sql`true` : administrable(actor, sql.ref('role_code'))
    return isAbout(
      sql`array(select 'user/' || id from users where login_id = ${called.toLowerCase()} and ${isWithin})`,
    )
  },
  partner: (called) =>
    isAbout(sql`array(select 'partner/' || id from partners where code = ${called.toUpperCase()})`),
  notice: (called) => isAbout(sql`array[${`notice/${called}`}]::text[]`),
  role: () => isAction('role'),
  affiliation: () => isAction('affiliation'),
  // Neither test mails nor the state of the guide change how anything is set.
  setting: () => isAction('setting.update'),
}

const isAbout = (records: RawBuilder<unknown>) => sql<boolean>`records && ${records}`
