import { type Kysely, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { reachesAdministrators, ROLE } from '../../../contract/permissions.ts'
import {
  type getSecurity as readEndpoint,
  SECURITY_NAMES,
  SECURITY_SETTINGS,
  type updateSecurity as updateEndpoint,
} from '../../../contract/settings/security.ts'
import type { Setting } from '../../../contract/settings/declared.ts'
import type { Config } from '../../config.ts'
import { isExternal } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'
import { isInNetworks } from '../../callers/session-binding.ts'
import { differences, recordAudit } from '../../records/audit.ts'

/** Columns of the settings table that the form of the security settings saves. `findSecurity` reads them. */
const FIELDS = [...SECURITY_NAMES, 'adminNetworks'] as const

/** Security settings as the database has them, with the login IDs and codes of roles that they name. */
type Row = Awaited<ReturnType<typeof findSecurity>>

/** Returns the query for the security settings in the row of settings. */
const querySettings = (db: Kysely<Database>) => db.selectFrom('settings').select(FIELDS)

/** SQL column with the codes of the roles that must have a second factor. */
const requiredRoles = sql<string[]>`array(
  select code from roles where factor_required_since is not null order by sort_order, code)`.as('factorRoles')

/** SQL column with the codes of the roles whose users may trust devices. */
const trustingRoles = sql<string[]>`array(
  select code from roles where devices_trusted order by sort_order, code)`.as('trustRoles')

/** SQL column with the codes of the roles whose users log in by single sign-on alone. */
const ssoRoles = sql<string[]>`array(
  select code from roles where sso_required order by sort_order, code)`.as('ssoRoles')

/** SQL column with the login IDs of the emergency accounts. */
const emergencyAccounts = sql<string[]>`array(
  select login_id from users where break_glass order by login_id)`.as('emergencyAccounts')

/** Returns the saved security settings, without those that environment variables fix. */
const findSecurity = (db: Kysely<Database>) =>
  querySettings(db)
    .select([requiredRoles, trustingRoles, ssoRoles, emergencyAccounts])
    .executeTakeFirstOrThrow()

/** Locks the row of settings until the transaction ends, and returns the security settings. */
const lockSecurity = async (tx: Kysely<Database>): Promise<Row> => {
  // A save that waited for a concurrent one reads its result.
  await querySettings(tx).forUpdate().execute()
  return findSecurity(tx)
}

/** Returns the version of the security settings, by which a change notices a concurrent one. */
const versionOf = (row: Row) =>
  digestOf(Object.values(row).map((value) => (Array.isArray(value) ? value.join() : value)))

/**
 * Returns the security settings as audit details have them: lists of networks and accounts as one text, '' if empty.
 */
const toAuditValues = ({ adminNetworks, emergencyAccounts: accounts, ...rest }: Row) => ({
  ...rest,
  emergencyAccounts: accounts.join(', '),
  adminNetworks: adminNetworks.join(', '),
})

/**
 * Returns the settings that an environment variable fixes, each with the name of the variable
 * (rules/settings#security-variables).
 */
const listFixed = (config: Config) =>
  SECURITY_NAMES.flatMap((field) => {
    const { variable }: Setting = SECURITY_SETTINGS[field]
    return variable !== undefined && field in config.fixedSecurity ? [{ field, variable }] : []
  })

/**
 * Returns the security settings of accounts and sessions in force, which settings environment variables fix, all roles,
 * and the address of the caller (rules/settings#security).
 */
export const getSecurity: Handler<typeof readEndpoint> = async ({
  db,
  address,
  language,
  services: { config },
}) => {
  const row = await findSecurity(db)
  const roles = await db
    .selectFrom('roles')
    .select(['code as roleCode', language === 'ko' ? 'groupName as roleName' : 'nameEn as roleName'])
    .orderBy('sortOrder')
    .orderBy('code')
    .execute()
  return {
    ...row,
    ...config.fixedSecurity,
    fixed: listFixed(config),
    roles,
    address,
    version: versionOf(row),
  }
}

/**
 * Sets the roles that must have a second factor; all other roles need none. A role that already must have one keeps its
 * date (rules/settings#required-factors).
 * @param wanted codes of the roles
 * @throws {Refusal} ROLE_NOT_FOUND
 */
async function saveFactorRoles(tx: Kysely<Database>, wanted: readonly string[]): Promise<void> {
  const codes = sql`any(${wanted}::text[])`
  const { rows } = await sql<{ code: string }>`
    with changed as (
      update roles set factor_required_since = case when code = ${codes} then coalesce(factor_required_since, now()) end
      where code = ${codes} or factor_required_since is not null
      returning code, factor_required_since)
    select code from changed where factor_required_since is not null`.execute(tx)
  if (rows.length < wanted.length) refuse('ROLE_NOT_FOUND')
}

/**
 * Sets the roles whose users may trust devices (rules/settings#trusted-devices). Deletes the trusted devices of users
 * of other roles.
 * @param wanted codes of the roles
 * @throws {Refusal} ROLE_NOT_FOUND
 */
async function saveTrustRoles(tx: Kysely<Database>, wanted: readonly string[]): Promise<void> {
  const codes = sql`any(${wanted}::text[])`
  const { rows } = await sql<{ code: string }>`
    with changed as (
      update roles set devices_trusted = (code = ${codes}) where code = ${codes} or devices_trusted
      returning code, devices_trusted),
    ended as (
      delete from trusted_devices d using users u, changed c
      where u.id = d.user_id and c.code = u.role_code and not c.devices_trusted)
    select code from changed where devices_trusted`.execute(tx)
  if (rows.length < wanted.length) refuse('ROLE_NOT_FOUND')
}

/**
 * Sets the roles whose users log in by single sign-on alone (rules/sso#required), and the emergency accounts
 * (rules/sso#emergency-accounts).
 * @throws {Refusal} EMERGENCY_ACCOUNT_UNFIT for an account that cannot log in by password and second factor, or that is no
 *   administrator's of this company; EMERGENCY_ACCOUNT_NEEDED for roles without an emergency account; ROLE_NOT_FOUND
 */
async function saveSsoRoles(
  tx: Kysely<Database>,
  { ssoRoles: codes, emergencyAccounts: ids }: Pick<Row, 'ssoRoles' | 'emergencyAccounts'>,
): Promise<void> {
  const { rows } = await sql<{ loginId: string; isFit: boolean }>`
    select login_id, role_code = ${ROLE.admin} and login_refusal(u) is null and has_second_factor(u.id)
      and password_own_from <= now() and not ${isExternal(sql`affiliation_code`)} as is_fit
    from users u where login_id = any(${ids}::text[]) for no key update`.execute(tx)
  const fit = new Set(rows.filter(({ isFit }) => isFit).map(({ loginId }) => loginId))
  const unfit = ids.filter((id) => !fit.has(id))
  if (unfit.length > 0) refuse('EMERGENCY_ACCOUNT_UNFIT', { about: unfit })
  if (codes.length > 0 && ids.length === 0) refuse('EMERGENCY_ACCOUNT_NEEDED')
  await sql`update users set break_glass = not break_glass where break_glass <> (login_id = any(${ids}::text[]))`.execute(
    tx,
  )
  await sql`update roles set sso_required = not sso_required where sso_required <> (code = any(${codes}::text[]))`.execute(
    tx,
  )
  const { count } = await tx
    .selectFrom('roles')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('ssoRequired', '=', true)
    .executeTakeFirstOrThrow()
  if (count < codes.length) refuse('ROLE_NOT_FOUND')
}

/**
 * Saves the security settings, with an audit row unless nothing changes. They take effect immediately on this server,
 * on others within a second. Also marks the step of the setup guide about profiles as done.
 * @throws {Refusal} ADMIN_REACH_REQUIRED if the caller does not reach administrators
 * (rules/settings#settings-of-administrators); ADDRESS_SHUTS_OUT for a list without the caller's address
 * (rules/settings#admin-networks); RECORD_CHANGED; SETTING_FIXED for a change of a setting that a variable fixes;
 * ROLE_NOT_FOUND; and as `saveSsoRoles`
 */
export const updateSecurity: Handler<typeof updateEndpoint> = async (
  call,
  { version, factorRoles: wantedRoles, trustRoles: wantedTrust, ...wanted },
) => {
  const { config } = call.services
  const { adminNetworks } = wanted
  if (!reachesAdministrators(call.actor)) refuse('ADMIN_REACH_REQUIRED')
  if (adminNetworks.length > 0 && !isInNetworks(call.address, adminNetworks)) refuse('ADDRESS_SHUTS_OUT')
  await call.db.transaction().execute(async (tx) => {
    const before = await lockSecurity(tx)
    if (version !== versionOf(before)) refuse('RECORD_CHANGED')
    for (const { field, variable } of listFixed(config))
      if ((wanted[field] ?? config.fixedSecurity[field]) !== config.fixedSecurity[field])
        refuse('SETTING_FIXED', { about: [variable] })
    // The saved values of fixed settings stay for the time without the variable.
    const kept = Object.fromEntries(listFixed(config).map(({ field }) => [field, before[field]]))
    // An absent field has no key.
    const {
      factorRoles: _,
      trustRoles: __,
      ssoRoles: required,
      emergencyAccounts: emergency,
      ...saved
    } = {
      ...before,
      ...(wanted as Omit<Row, 'factorRoles' | 'trustRoles'>),
      ...kept,
    }
    await tx
      .updateTable('settings')
      // Saving answers the question of the setup guide, also with the default (rules/settings#profile-editors).
      .set({ ...saved, profileEditorsDecided: true, changedAt: sql`now()`, changedBy: call.actor.id })
      .execute()
    await saveFactorRoles(tx, wantedRoles)
    await saveTrustRoles(tx, wantedTrust)
    if (required.join() !== before.ssoRoles.join() || emergency.join() !== before.emergencyAccounts.join())
      await saveSsoRoles(tx, { ssoRoles: required, emergencyAccounts: emergency })
    const detail = differences(toAuditValues(before), toAuditValues(await findSecurity(tx)))
    await call.audit(tx, { target: 'security', detail, records: null })
  })
  // Immediately on this server; on others within a second.
  await call.services.settings.fresh()
  return {}
}

/**
 * Deletes the list of networks for administrators, so that they can log in from any address again, and writes an audit
 * row unless it was empty. For the operator of the server (rules/running#operator-addresses).
 * @returns the previous list
 */
export async function clearAdminNetworks(db: Kysely<Database>): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const before = await lockSecurity(tx)
    if (before.adminNetworks.length === 0) return []
    await tx
      .updateTable('settings')
      .set({ adminNetworks: [], changedAt: sql`now()`, changedBy: null })
      .execute()
    const changes = differences(toAuditValues(before), toAuditValues({ ...before, adminNetworks: [] }))
    await recordAudit(tx, {
      action: 'setting.update',
      target: 'security',
      detail: { ...changes, reason: 'npm run admin' },
      records: null,
      address: '',
      requestId: '',
    })
    return before.adminNetworks
  })
}
