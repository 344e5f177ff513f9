import { type Kysely, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { reachesAdministrators } from '../../../contract/permissions.ts'
import type {
  getSecurity as readEndpoint,
  updateSecurity as updateEndpoint,
} from '../../../contract/settings.ts'
import type { Database } from '../../db/types.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'
import { isInNetworks } from '../../http/session-binding.ts'
import { differences, recordAudit } from '../../services/audit.ts'

const FIELDS = [
  'factor_grace_days as factorGraceDays',
  'session_limit as sessionLimit',
  'session_binding as sessionBinding',
  'admin_networks as adminNetworks',
  'upload_quota_mb as uploadQuotaMb',
] as const

type Row = Awaited<ReturnType<typeof findSecurity>>

const findSettings = (db: Kysely<Database>) => db.selectFrom('settings').select(FIELDS)

const requiredRoles = sql<string[]>`array(
  select code from roles where factor_required_since is not null order by sort_order, code)`.as('factorRoles')

const findSecurity = (db: Kysely<Database>) =>
  findSettings(db).select(requiredRoles).executeTakeFirstOrThrow()

const lockSecurity = async (tx: Kysely<Database>): Promise<Row> => {
  // A save that waited for a concurrent one reads its result.
  await findSettings(tx).forUpdate().execute()
  return findSecurity(tx)
}

const versionOf = ({ factorRoles, adminNetworks, ...rest }: Row) =>
  digestOf([...Object.values(rest), factorRoles.join(), adminNetworks])

/** Returns the settings as the audit log shows them. */
const recordedOf = ({ adminNetworks, ...rest }: Row) => ({ ...rest, adminNetworks: adminNetworks.join(', ') })

/** Returns the security settings of accounts and sessions, and the address of the caller (rules/settings#security). */
export const getSecurity: Handler<typeof readEndpoint> = async ({ db, address, language }) => {
  const row = await findSecurity(db)
  const roles = await db
    .selectFrom('roles')
    .select(['code as roleCode', language === 'ko' ? 'group_name as roleName' : 'name_en as roleName'])
    .orderBy('sort_order')
    .orderBy('code')
    .execute()
  return {
    ...row,
    roles,
    address,
    version: versionOf(row),
  }
}

/**
 * Sets the roles that must have a second factor. Roles that had to before keep their date (rules/settings#required-factors).
 * @throws {Refusal} ROLE_NOT_FOUND
 */
async function requireFactors(tx: Kysely<Database>, wanted: readonly string[]): Promise<string[]> {
  const codes = sql`any(${wanted}::text[])`
  const { rows } = await sql<{ code: string }>`
    with changed as (
      update roles set factor_required_since = case when code = ${codes} then coalesce(factor_required_since, now()) end
      where code = ${codes} or factor_required_since is not null
      returning code, sort_order, factor_required_since)
    select code from changed where factor_required_since is not null order by sort_order, code`.execute(tx)
  if (rows.length < wanted.length) refuse('ROLE_NOT_FOUND')
  return rows.map(({ code }) => code)
}

/**
 * Saves the security settings.
 * @throws {Refusal} ADMIN_REACH_REQUIRED if the caller does not reach administrators (rules/settings#settings-of-administrators),
 * ADDRESS_SHUTS_OUT for a list without the caller's address (rules/settings#admin-networks)
 */
export const updateSecurity: Handler<typeof updateEndpoint> = async (call, { version, ...wanted }) => {
  const { adminNetworks } = wanted
  if (!reachesAdministrators(call.actor)) refuse('ADMIN_REACH_REQUIRED')
  if (adminNetworks.length > 0 && !isInNetworks(call.address, adminNetworks)) refuse('ADDRESS_SHUTS_OUT')
  await call.db.transaction().execute(async (tx) => {
    const before = await lockSecurity(tx)
    if (version !== versionOf(before)) refuse('RECORD_CHANGED')
    await tx
      .updateTable('settings')
      .set({
        factor_grace_days: wanted.factorGraceDays,
        session_limit: wanted.sessionLimit,
        session_binding: wanted.sessionBinding,
        admin_networks: adminNetworks,
        upload_quota_mb: wanted.uploadQuotaMb,
        changed_at: sql`now()`,
        changed_by: call.actor.id,
      })
      .execute()
    const factorRoles = await requireFactors(tx, wanted.factorRoles)
    const detail = differences(recordedOf(before), recordedOf({ ...wanted, factorRoles }))
    await call.audit(tx, { target: 'security', detail })
  })
  // Immediately on this server; on others within a second.
  await call.services.settings.fresh()
  return {}
}

/**
 * Lets administrators log in from any address again, and records this. For the operator of the server
 * (rules/running#operator-addresses).
 * @returns the previous list
 */
export async function clearAdminNetworks(db: Kysely<Database>): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const before = await lockSecurity(tx)
    if (before.adminNetworks.length === 0) return []
    await tx
      .updateTable('settings')
      .set({ admin_networks: [], changed_at: sql`now()`, changed_by: null })
      .execute()
    const changes = differences(recordedOf(before), recordedOf({ ...before, adminNetworks: [] }))
    await recordAudit(tx, {
      action: 'setting.update',
      target: 'security',
      detail: { ...changes, reason: 'npm run admin' },
      address: '',
      requestId: '',
    })
    return before.adminNetworks
  })
}
