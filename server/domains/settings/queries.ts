import { type Kysely, sql } from 'kysely'
import { orEmpty, timeText } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import { type Portal, PORTAL_COLUMNS } from '../../services/settings.ts'

/** Returns a query of the settings row, with the user who changed it last, and the caller's address. */
export function findSettings(db: Kysely<Database>, actorId: string) {
  return db
    .selectFrom('settings as s')
    .innerJoin('users as own', (join) => join.on('own.id', '=', actorId))
    .leftJoin('users as u', 'u.id', 's.changed_by')
    .select(PORTAL_COLUMNS.map((column) => `s.${column}` as const))
    .select([
      timeText('s.changed_at').as('changedAt'),
      orEmpty('u.login_id').as('userId'),
      orEmpty('u.name').as('name'),
      'own.email as ownEmail',
    ])
    .executeTakeFirstOrThrow()
}

/** Returns the same query, with the row locked until the transaction ends. */
export function lockSettings(tx: Kysely<Database>) {
  return tx.selectFrom('settings').select(PORTAL_COLUMNS).forUpdate().executeTakeFirstOrThrow()
}

/** Returns the version of the settings, from the fields that their form edits. */
export function versionOf(portal: Portal): string {
  const { company, logoText, companyEn, logoTextEn, portalUrl, offices, logo } = portal
  return digestOf([
    company,
    logoText,
    companyEn,
    logoTextEn,
    portalUrl,
    // The database returns the fields of an office in an order of its own.
    offices.map((o) => [o.name, o.address, o.phone, o.fax, o.nameEn, o.addressEn]),
    logo,
    portal.noticeComments,
    portal.noticeAcknowledgements,
  ])
}

/** Finds everything from which the setup guide derives its steps, in one statement. */
export async function findSetup(db: Kysely<Database>, actorId: string) {
  const { rows } = await sql<{
    state: Portal['setup']
    company_name: string | null
    portal_url: string | null
    has_offices: boolean
    mail_tested: string | null
    email: string
    has_password: boolean
    has_partners: boolean
    administrators: number
  }>`
    select s.setup_state as state, s.company_name, s.portal_url, s.offices is not null as has_offices, s.mail_tested,
      u.email, not u.password_temporary as has_password,
      (select count(*) > 0 and bool_and(default_partner_id is not null) from codes
        where group_code = 'COMBEL001' and closed_at is null) as has_partners,
      (select coalesce(sum(n), 0)::int from user_counts where approval_code = 'MEMAP001'
        and role_code in (select role_code from role_functions where function_name = 'autho_user_manage')
      ) as administrators
    from settings s, users u where u.id = ${actorId}`.execute(db)
  if (rows[0] === undefined) throw new Error('the row of the settings is gone')
  return rows[0]
}
