import { type Kysely, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type {
  getSecurity as readEndpoint,
  updateSecurity as updateEndpoint,
} from '../../../contract/settings.ts'
import type { Database } from '../../db/types.ts'
import { versionOf as digestOf } from '../../db/version.ts'
import type { Handler } from '../../http/handler.ts'
import { isWithin } from '../../http/places.ts'
import { differences, recordAudit } from '../../services/audit.ts'

const COLUMNS = ['session_limit', 'session_binding', 'admin_networks'] as const

type Row = Pick<Awaited<ReturnType<typeof findSecurity>>, (typeof COLUMNS)[number]>

const findSecurity = (db: Kysely<Database>) =>
  db.selectFrom('settings').select(COLUMNS).executeTakeFirstOrThrow()

const lockSecurity = (tx: Kysely<Database>) =>
  tx.selectFrom('settings').select(COLUMNS).forUpdate().executeTakeFirstOrThrow()

const versionOf = (row: Row) => digestOf([row.session_limit, row.session_binding, row.admin_networks])

/** As it stands on record: texts and numbers. */
const recordedOf = ({ session_limit, session_binding, admin_networks }: Row) => ({
  sessionLimit: session_limit,
  sessionBinding: session_binding,
  adminNetworks: admin_networks.join(', '),
})

/** How sessions are kept safe, and from where the caller comes (rules/settings#security). */
export const getSecurity: Handler<typeof readEndpoint> = async ({ db, address }) => {
  const row = await findSecurity(db)
  return {
    sessionLimit: row.session_limit,
    sessionBinding: row.session_binding,
    adminNetworks: row.admin_networks,
    address,
    version: versionOf(row),
  }
}

/** Saves them; a list that shuts out whoever saves it is refused (rules/settings#admin-networks). */
export const updateSecurity: Handler<typeof updateEndpoint> = async (call, { version, ...wanted }) => {
  const { adminNetworks } = wanted
  if (adminNetworks.length > 0 && !isWithin(call.address, adminNetworks)) refuse('ADDRESS_SHUTS_OUT')
  await call.db.transaction().execute(async (tx) => {
    const before = await lockSecurity(tx)
    if (version !== versionOf(before)) refuse('RECORD_CHANGED')
    const after = {
      session_limit: wanted.sessionLimit,
      session_binding: wanted.sessionBinding,
      admin_networks: adminNetworks,
    }
    await tx
      .updateTable('settings')
      .set({ ...after, changed_at: sql`now()`, changed_by: call.actor.id })
      .execute()
    await call.audit(tx, { target: 'security', detail: differences(recordedOf(before), recordedOf(after)) })
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
