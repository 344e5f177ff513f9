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
import { isWithin } from '../../http/places.ts'
import { differences, recordAudit } from '../../services/audit.ts'

const COLUMNS = [
  'factor_grace_days',
  'session_limit',
  'session_binding',
  'admin_networks',
  'upload_quota_mb',
] as const

type Row = Awaited<ReturnType<typeof findSecurity>>

const findSettings = (db: Kysely<Database>) => db.selectFrom('settings').select(COLUMNS)

const factorRoles = sql<string[]>`array(
  select code from roles where factor_required_since is not null order by sort_order, code)`.as(
  'factor_roles',
)

const findSecurity = (db: Kysely<Database>) => findSettings(db).select(factorRoles).executeTakeFirstOrThrow()

const lockSecurity = async (tx: Kysely<Database>): Promise<Row> => {
  // Who waited here for somebody else's save reads what it left.
  await findSettings(tx).forUpdate().execute()
  return findSecurity(tx)
}

const versionOf = (row: Row) =>
  digestOf([
    row.factor_roles.join(),
    row.factor_grace_days,
    row.session_limit,
    row.session_binding,
    row.admin_networks,
    row.upload_quota_mb,
  ])

/** As it stands on record. */
const recordedOf = ({
  factor_roles,
  factor_grace_days,
  session_limit,
  session_binding,
  admin_networks,
  upload_quota_mb,
}: Row) => ({
  factorRoles: factor_roles,
  factorGraceDays: factor_grace_days,
  sessionLimit: session_limit,
  sessionBinding: session_binding,
  adminNetworks: admin_networks.join(', '),
  uploadQuotaMb: upload_quota_mb,
})

/** How accounts and sessions are kept safe, and from where the caller comes (rules/settings#security). */
export const getSecurity: Handler<typeof readEndpoint> = async ({ db, address, language }) => {
  const row = await findSecurity(db)
  const roles = await db
    .selectFrom('roles')
    .select(['code as roleCode', language === 'ko' ? 'group_name as roleName' : 'name_en as roleName'])
    .orderBy('sort_order')
    .orderBy('code')
    .execute()
  return {
    roles,
    factorRoles: row.factor_roles,
    factorGraceDays: row.factor_grace_days,
    sessionLimit: row.session_limit,
    sessionBinding: row.session_binding,
    adminNetworks: row.admin_networks,
    uploadQuotaMb: row.upload_quota_mb,
    address,
    version: versionOf(row),
  }
}

/**
 * Says which roles have to have a second factor: those that had to before keep their day (rules/settings#required-factors).
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
  if (adminNetworks.length > 0 && !isWithin(call.address, adminNetworks)) refuse('ADDRESS_SHUTS_OUT')
  await call.db.transaction().execute(async (tx) => {
    const before = await lockSecurity(tx)
    if (version !== versionOf(before)) refuse('RECORD_CHANGED')
    const after = {
      factor_grace_days: wanted.factorGraceDays,
      session_limit: wanted.sessionLimit,
      session_binding: wanted.sessionBinding,
      admin_networks: adminNetworks,
      upload_quota_mb: wanted.uploadQuotaMb,
    }
    await tx
      .updateTable('settings')
      .set({ ...after, changed_at: sql`now()`, changed_by: call.actor.id })
      .execute()
    const factor_roles = await requireFactors(tx, wanted.factorRoles)
    const detail = differences(recordedOf(before), recordedOf({ ...after, factor_roles }))
    await call.audit(tx, { target: 'security', detail })
  })
  // Here at once; elsewhere within a second.
  await call.services.settings.fresh()
  return {}
}

/**
 * Lets administrators in from anywhere again, on record, for the operator of the server (rules/running#operator-addresses).
 * @returns the list as it was
 */
export async function clearAdminNetworks(db: Kysely<Database>): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const before = await lockSecurity(tx)
    if (before.admin_networks.length === 0) return []
    await tx
      .updateTable('settings')
      .set({ admin_networks: [], changed_at: sql`now()`, changed_by: null })
      .execute()
    const changes = differences(recordedOf(before), recordedOf({ ...before, admin_networks: [] }))
    await recordAudit(tx, {
      action: 'setting.update',
      target: 'security',
      detail: { ...changes, reason: 'npm run admin' },
      address: '',
      requestId: '',
    })
    return before.admin_networks
  })
}
