import { type Transaction, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import type {
  createPartner as createEndpoint,
  deletePartner as deleteEndpoint,
  updatePartner as updateEndpoint,
} from '../../../contract/partners.ts'
import { FOREIGN_KEY, refusing } from '../../db/constraints.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { differences } from '../../services/audit.ts'
import { hasCode } from '../common/index.ts'
import { findPartner } from './queries.ts'
import { findRegion } from './regions.ts'

/** Registers a partner code (rules/partners#register-partner). */
export const createPartner: Handler<typeof createEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    if (!(await hasCode(tx, CODE_GROUP.affiliation, input.affiliationCode))) refuse('CODE_NOT_FOUND')
    const values = {
      code: input.partnerCode,
      type: input.partnerType,
      affiliation_code: input.affiliationCode,
      ...(await findRegion(tx, input)),
      ...limitsAndDates(input),
    }
    // The constraint decides, not the check before: two people may register the same code at once.
    await refusing({ partners_code_key: 'PARTNER_CODE_TAKEN' }, () =>
      tx
        .insertInto('partners')
        .values({ ...values, memo: null })
        .execute(),
    )
    await call.audit(tx, { target: input.partnerCode, detail: values })
  })
  return { partnerCode: input.partnerCode }
}

/** Edits region, limits and dates of a partner; code, type and affiliation stay (rules/partners#edit-partner). */
export const updatePartner: Handler<typeof updateEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    const before = await lockPartner(tx, input.partnerCode)
    if (input.version !== undefined) {
      const record = await findPartner(tx, input.partnerCode, call.language)
      if (record?.version !== input.version) refuse('RECORD_CHANGED')
    }
    if (input.partnerType !== before.type || input.affiliationCode !== before.affiliation_code) {
      refuse('PARTNER_READ_ONLY')
    }
    const keepsRegion =
      input.provinceName === before.province_name && input.districtName === before.district_name
    const changes = {
      // A record keeps the region that it was written with, even one that no longer exists (rules/partners#region-on-record).
      ...(keepsRegion ? {} : await findRegion(tx, input)),
      ...limitsAndDates(input),
    }
    await tx
      .updateTable('partners')
      .set({ ...changes, updated_at: sql`now()` })
      .where('id', '=', before.id)
      .execute()
    await call.audit(tx, { target: before.code, detail: differences(before, changes) })
  })
  return { partnerCode: input.partnerCode }
}

/** Deletes a partner that nobody belongs to, and that no key was issued to (rules/partners#delete-partner). */
export const deletePartner: Handler<typeof deleteEndpoint> = async (call, { partnerCode }) => {
  await call.db.transaction().execute(async (tx) => {
    const { id, code, created_at: _, updated_at: __, ...detail } = await lockPartner(tx, partnerCode)
    // The references decide, not a look before: somebody may be given this partner at this moment.
    await refusing({ [FOREIGN_KEY]: 'PARTNER_IN_USE' }, () =>
      tx.deleteFrom('partners').where('id', '=', id).execute(),
    )
    await call.audit(tx, { target: code, detail, records: [`partner/${id}`] })
  })
  return {}
}

function limitsAndDates(input: ParsedInputOf<typeof createEndpoint> | ParsedInputOf<typeof updateEndpoint>) {
  return {
    limit_day: input.maxKeysPerDay,
    limit_week: input.maxKeysPerWeek,
    limit_month: input.maxKeysPerMonth,
    limit_total: input.maxKeysTotal,
    valid_from: input.validFrom || null,
    valid_to: input.validTo || null,
  }
}

/** The row, locked until the transaction ends; not against references to it, which an edit leaves alone. */
async function lockPartner(tx: Transaction<Database>, code: string) {
  const partner = await tx
    .selectFrom('partners')
    .selectAll()
    .where('code', '=', code)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return partner ?? refuse('PARTNER_NOT_FOUND')
}
