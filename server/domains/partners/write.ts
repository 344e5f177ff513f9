import { type Transaction, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import type {
  createPartner as createEndpoint,
  deletePartner as deleteEndpoint,
  updatePartner as updateEndpoint,
} from '../../../contract/partners.ts'
import { hasCode } from '../../db/codes.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { findPartner } from './queries.ts'
import { findRegion } from './regions.ts'

/** Registers a partner code (spec §2, §5). */
export const createPartner: Handler<typeof createEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    if (!(await hasCode(tx, CODE_GROUP.affiliation, input.BELONGTO_CODE))) refuse('CODE_NOT_FOUND')
    const values = {
      code: input.PARTNER_CODE,
      type: input.PARTNER_TYPE,
      affiliation_code: input.BELONGTO_CODE,
      ...(await findRegion(tx, input)),
      ...limitsAndDates(input),
    }
    // The constraint decides, not the check before: two people may register the same code at once.
    await refusing('partners_code_key', 'PARTNER_CODE_TAKEN', () =>
      tx
        .insertInto('partners')
        .values({ ...values, memo: null })
        .execute(),
    )
    await call.audit(tx, { target: input.PARTNER_CODE, detail: values })
  })
  return { PARTNER_CODE: input.PARTNER_CODE }
}

/** Edits region, limits and dates of a partner; code, type and affiliation stay (spec §2). */
export const updatePartner: Handler<typeof updateEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    const before = await lockPartner(tx, input.PARTNER_CODE)
    if (input.VERSION !== undefined) {
      const record = await findPartner(tx, input.PARTNER_CODE, call.language)
      if (record?.VERSION !== input.VERSION) refuse('RECORD_CHANGED')
    }
    if (input.PARTNER_TYPE !== before.type || input.BELONGTO_CODE !== before.affiliation_code) {
      refuse('PARTNER_READ_ONLY')
    }
    const staysThere = input.SIDO_NAME === before.province_name && input.SIGUNGU_NAME === before.district_name
    const changes = {
      // A record keeps the region that it was written with, also one that is no more (decisions §6).
      ...(staysThere ? {} : await findRegion(tx, input)),
      ...limitsAndDates(input),
    }
    await tx
      .updateTable('partners')
      .set({ ...changes, updated_at: sql`now()` })
      .where('id', '=', before.id)
      .execute()
    await call.audit(tx, { target: before.code, detail: differences(before, changes) })
  })
  return { PARTNER_CODE: input.PARTNER_CODE }
}

/** Deletes a partner that nobody belongs to, and that no key was issued to (decisions §6). */
export const deletePartner: Handler<typeof deleteEndpoint> = async (call, { PARTNER_CODE }) => {
  await call.db.transaction().execute(async (tx) => {
    const { id, code, created_at: _, updated_at: __, ...detail } = await lockPartner(tx, PARTNER_CODE)
    // The references decide, not a look before: somebody may be given this partner at this moment.
    await refusing(FOREIGN_KEY, 'PARTNER_IN_USE', () =>
      tx.deleteFrom('partners').where('id', '=', id).execute(),
    )
    await call.audit(tx, { target: code, detail })
  })
  return {}
}

function limitsAndDates(input: ParsedInputOf<typeof createEndpoint> | ParsedInputOf<typeof updateEndpoint>) {
  return {
    limit_day: input.MAX_KEY_NUM_DAY,
    limit_week: input.MAX_KEY_NUM_WEEK,
    limit_month: input.MAX_KEY_NUM_MONTH,
    limit_total: input.TOTAL_KEY_NUM,
    valid_from: input.EXPIRY_DATETIME_START || null,
    valid_to: input.EXPIRY_DATETIME_END || null,
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

const FOREIGN_KEY = '23503'

/** Turns the break of a constraint, by its name or SQLSTATE, into a refusal. */
async function refusing<T>(constraint: string, code: ErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const broken = [
      'constraint' in error ? error.constraint : undefined,
      'code' in error ? error.code : undefined,
    ]
    if (broken.includes(constraint)) refuse(code)
    throw error
  }
}

/** What the edit changed, before and after, for the audit trail. */
function differences(before: Record<string, unknown>, after: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([column, value]) => before[column] !== value)
      .map(([column, value]) => [column, { before: before[column], after: value }]),
  )
}
