import { type Insertable, sql } from 'kysely'
import { inBranch, requireInBranch } from '../roles/index.ts'
import type { Actor } from '../../../contract/permissions.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse, Refusal } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type {
  createPartner as createEndpoint,
  deletePartner as deleteEndpoint,
  LimitName,
  resumePartner as resumeEndpoint,
  stopPartner as stopEndpoint,
  updatePartner as updateEndpoint,
} from '../../../contract/partners.ts'
import { FOREIGN_KEY, mapConstraintErrors } from '../../db/constraints.ts'
import type { Tx } from '../../db/database.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { differences } from '../../records/audit.ts'
import { requirePlaceable } from '../common/index.ts'
import { findPartner } from './queries.ts'
import { findRegion } from './regions.ts'

/**
 * Registers a partner code, with an audit row (rules/partners#register-partner).
 * @throws {Refusal} FORBIDDEN for an affiliation of another branch; CODE_NOT_FOUND, AFFILIATION_CLOSED;
 * REGION_NOT_FOUND; PARTNER_CODE_TAKEN
 */
export const createPartner: Handler<typeof createEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    requireInBranch(call.actor, input.affiliationCode)
    await requirePlaceable(tx, input.affiliationCode)
    const values = newPartner(input, await findRegion(tx, input))
    const [id = ''] = await insertPartners(tx, [values])
    await call.audit(tx, { target: input.partnerCode, detail: values, records: [`partner/${id}`] })
  })
  return { partnerCode: input.partnerCode }
}

/** Returns the columns of a new partner, which are also the detail of its audit row. */
export function newPartner(
  input: Omit<ParsedInputOf<typeof createEndpoint>, 'longitude' | 'latitude'>,
  region: Awaited<ReturnType<typeof findRegion>>,
) {
  return {
    code: input.partnerCode,
    type: input.partnerType,
    affiliationCode: input.affiliationCode,
    ...region,
    ...limitsAndDates(input),
    ...words(input),
  }
}

/**
 * Inserts new partners. Writes no audit row. Relies on the constraint instead of a check before it: two users may
 * register the same code concurrently.
 * @returns partners.id, in the order of the partners
 * @throws {Refusal} PARTNER_CODE_TAKEN
 */
export async function insertPartners(
  tx: Tx,
  partners: readonly Insertable<Database['partners']>[],
): Promise<string[]> {
  const made = await mapConstraintErrors({ partners_code_key: 'PARTNER_CODE_TAKEN' }, () =>
    tx.insertInto('partners').values(partners).returning(['id', 'code']).execute(),
  )
  const ids = new Map(made.map(({ id, code }) => [code, id]))
  return partners.map(({ code }) => ids.get(code) ?? '')
}

/**
 * Edits region, limits, dates, name, contact and note of a partner, with an audit row (rules/partners#edit-partner). Omitted
 * texts stay unchanged.
 * @throws {Refusal} PARTNER_READ_ONLY if type or affiliation differ; RECORD_CHANGED if the input has a `version` and the
 * partner changed since; REGION_NOT_FOUND for another region that does not exist; and as `lockPartner`
 */
export const updatePartner: Handler<typeof updateEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    const before = await lockPartner(tx, call.actor, input.partnerCode)
    if (input.version !== undefined) {
      const record = await findPartner(tx, call.actor, input.partnerCode, call.language)
      if (record?.version !== input.version) refuse('RECORD_CHANGED')
    }
    if (input.partnerType !== before.type || input.affiliationCode !== before.affiliationCode) {
      refuse('PARTNER_READ_ONLY')
    }
    const keepsRegion =
      input.provinceName === before.provinceName && input.districtName === before.districtName
    const changes = {
      // A record keeps its region, even one that no longer exists (rules/partners#stored-region).
      ...(keepsRegion ? {} : await findRegion(tx, input)),
      ...limitsAndDates(input),
      ...words(input),
    }
    await tx
      .updateTable('partners')
      .set({ ...changes, updatedAt: sql`now()` })
      .where('id', '=', before.id)
      .execute()
    await call.audit(tx, {
      target: before.code,
      detail: differences(before, changes),
      records: [`partner/${before.id}`],
    })
  })
  return { partnerCode: input.partnerCode }
}

/**
 * Deletes a partner that no user, also no withdrawn one, and no key refers to, with an audit row
 * (rules/partners#delete-partner).
 * @throws {Refusal} PARTNER_IN_USE with the numbers of these; PARTNER_IS_DEFAULT if it is the default of an
 * affiliation; and as `lockPartner`
 */
export const deletePartner: Handler<typeof deleteEndpoint> = async (call, { partnerCode }) => {
  const removal = call.db.transaction().execute(async (tx) => {
    const {
      id,
      code,
      createdAt: _,
      updatedAt: __,
      ...detail
    } = await lockPartner(tx, call.actor, partnerCode)
    // Relies on the references instead of a check before: another call may give a user this partner concurrently.
    await mapConstraintErrors(
      { codes_default_partner: 'PARTNER_IS_DEFAULT', [FOREIGN_KEY]: 'PARTNER_IN_USE' },
      () => tx.deleteFrom('partners').where('id', '=', id).execute(),
    )
    await call.audit(tx, { target: code, detail, records: [`partner/${id}`] })
  })
  await removal.catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'PARTNER_IN_USE') throw error
    refuse('PARTNER_IN_USE', { about: await countReferences(call, partnerCode) })
  })
}

/** Returns texts with the numbers of users, withdrawn users and keys that refer to a partner; none for a number of 0. */
async function countReferences(
  { db, language }: Call<typeof deleteEndpoint>,
  code: string,
): Promise<string[]> {
  const { refer } = catalogues[language].partners.detail
  const { rows } = await sql<Record<keyof typeof refer, number>>`
    select (select count(*)::int from users where partner_id = p.id and withdrawn_at is null) as users,
      (select count(*)::int from users where partner_id = p.id and withdrawn_at is not null) as withdrawn,
      (select coalesce(sum(n), 0)::float8 from key_months
        where cell_id in (select id from key_cells where partner_id = p.id)) as keys
    from partners p where p.code = ${code}`.execute(db)
  return (['users', 'withdrawn', 'keys'] as const).flatMap((what) => {
    const count = rows[0]?.[what] ?? 0
    return count > 0 ? [refer[what](count.toLocaleString('en'))] : []
  })
}

/**
 * Deactivates a partner, with a reason in the audit log: it is issued no keys and no user is given it; users and keys
 * that have it stay (rules/partners#stop-partner).
 * @throws {Refusal} RECORD_CHANGED if it is deactivated already; and as `lockPartner`
 */
export const stopPartner: Handler<typeof stopEndpoint> = (call, input) => saveStop(call, input, true)

/**
 * Activates a deactivated partner again, with a reason in the audit log.
 * @throws {Refusal} RECORD_CHANGED if it is active; and as `lockPartner`
 */
export const resumePartner: Handler<typeof resumeEndpoint> = (call, input) => saveStop(call, input, false)

/**
 * Deactivates a partner, or activates it again, as `stopPartner` and `resumePartner`, with an audit row.
 * @param isStop true to deactivate it
 * @throws {Refusal} RECORD_CHANGED if it is in the wanted state already; and as `lockPartner`
 */
async function saveStop(
  call: Call<typeof stopEndpoint | typeof resumeEndpoint>,
  { partnerCode, reason }: ParsedInputOf<typeof stopEndpoint>,
  isStop: boolean,
) {
  await call.db.transaction().execute(async (tx) => {
    // Issuing a key locks the row, too: after this call has returned, no key is issued.
    const { id, stoppedAt } = await lockPartner(tx, call.actor, partnerCode)
    if ((stoppedAt !== null) === isStop) refuse('RECORD_CHANGED')
    await tx
      .updateTable('partners')
      .set({ stoppedAt: isStop ? sql<Date>`now()` : null, updatedAt: sql`now()` })
      .where('id', '=', id)
      .execute()
    await call.audit(tx, { target: partnerCode, detail: { reason }, records: [`partner/${id}`] })
  })
}

/** Returns the columns for name, contact and note that the input contains. An empty note becomes null. */
function words({
  partnerName,
  contact,
  memo,
}: Pick<ParsedInputOf<typeof createEndpoint>, 'partnerName' | 'contact' | 'memo'>) {
  return {
    ...(partnerName !== undefined && { name: partnerName }),
    ...(contact !== undefined && { contact }),
    ...(memo !== undefined && { memo: memo === '' ? null : memo }),
  }
}

/** Returns the columns for limits and validity period. */
function limitsAndDates(
  input: Pick<ParsedInputOf<typeof createEndpoint>, LimitName | 'validFrom' | 'validTo'>,
) {
  return {
    limitDay: input.maxKeysPerDay,
    limitWeek: input.maxKeysPerWeek,
    limitMonth: input.maxKeysPerMonth,
    limitTotal: input.maxKeysTotal,
    validFrom: input.validFrom || null,
    validTo: input.validTo || null,
  }
}

/**
 * Returns a partner and locks its row until the transaction ends. The lock allows references to the row, because an
 * edit does not affect them.
 * @throws {Refusal} PARTNER_NOT_FOUND, also for a partner outside the actor's branch
 */
async function lockPartner(tx: Tx, actor: Actor, code: string) {
  const partner = await tx
    .selectFrom('partners')
    .selectAll()
    .where('code', '=', code)
    .where(inBranch(actor, sql.ref('affiliationCode')))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return partner ?? refuse('PARTNER_NOT_FOUND')
}
