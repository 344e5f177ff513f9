import { sql } from 'kysely'
import { orEmpty, timeText } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import { fieldsText } from './custom-fields.ts'
import { type Portal, PORTAL_COLUMNS } from '../../services/settings.ts'

/**
 * Returns the settings of the portal, the user who changed them last and when ('' if none did), and the email of the
 * caller.
 * @param actorId users.id of the caller
 */
export function findSettings(db: Db, actorId: string) {
  return db
    .selectFrom('settings as s')
    .innerJoin('users as own', (join) => join.on('own.id', '=', actorId))
    .leftJoin('users as u', 'u.id', 's.changedBy')
    .select(PORTAL_COLUMNS.map((column) => `s.${column}` as const))
    .select([
      timeText('s.changedAt').as('changedAt'),
      orEmpty('u.loginId').as('userId'),
      orEmpty('u.name').as('name'),
      'own.email as ownEmail',
    ])
    .executeTakeFirstOrThrow()
}

/** Locks the settings row until the transaction ends, and returns the settings of the portal. */
export function lockSettings(tx: Db) {
  return tx.selectFrom('settings').select(PORTAL_COLUMNS).forUpdate().executeTakeFirstOrThrow()
}

/** Returns the version of the settings, from the fields that their form edits, by which a change notices a concurrent one. */
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
    fieldsText(portal.customFields),
    portal.positions,
  ])
}

/**
 * Returns the data from which the setup guide derives which steps are done, from one statement. These are names, URL and
 * offices that are set, the tested mail server, whether the profile editors are decided, and the email and password of the
 * caller. Also default partners of all open affiliations, and the number of users who may manage users.
 * @param actorId users.id of the caller
 */
export async function findSetup(db: Db, actorId: string) {
  const { rows } = await sql<{
    state: Portal['setup']
    companyName: string | null
    portalUrl: string | null
    hasOffices: boolean
    mailTested: string | null
    email: string
    hasPassword: boolean
    hasPartners: boolean
    profileEditorsDecided: boolean
    administrators: number
  }>`
    select s.setup_state as state, s.company_name, s.portal_url, s.offices is not null as has_offices, s.mail_tested,
      s.profile_editors_decided,
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
