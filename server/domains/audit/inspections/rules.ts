import { type Kysely, sql } from 'kysely'
import {
  INSPECTION_RULES,
  type InspectionRule,
  type getInspectionRules as readEndpoint,
  type updateInspectionRules as updateEndpoint,
} from '../../../../contract/audit.ts'
import { refuse } from '../../../../contract/errors.ts'
import type { Database } from '../../../db/types.ts'
import { versionOf } from '../../../db/version.ts'
import type { Handler } from '../../../http/handler.ts'
import { differences } from '../../../records/audit.ts'

/** Rules by which a month is searched. The office hours are from `hoursFrom` to `hoursTo`, 0 to 24. */
export interface SearchRules {
  /** Rules with the number from which each reports a finding. */
  rules: { rule: InspectionRule; enabled: boolean; threshold: number }[]
  hoursFrom: number
  hoursTo: number
}

/** Rules by which months are inspected, and the practice of the company (rules/audit#inspection-practice). */
export interface InspectionRules extends SearchRules {
  /** Months between inspections. */
  cycleMonths: number
  /** Texts of the company; '' if it states none. */
  inspectionMethod: string
  followUp: string
}

/** Thresholds by default. They give few findings a month in an office of some hundred users. */
const THRESHOLDS: Record<InspectionRule, number> = {
  manyRecords: 1000,
  outsideHours: 30,
  newAddress: 10,
  exports: 1,
  failedLogins: 10,
  failedAddresses: 30,
  refusals: 10,
  manyReaders: 10,
}
/** Values by default of the rules without threshold. */
const USUAL = { hoursFrom: 8, hoursTo: 20, cycleMonths: 1, inspectionMethod: '', followUp: '' }

/**
 * Returns the rules of inspections and the practice as the company set them. A rule that was never set has its default.
 * @param lock locks the row of settings until the transaction ends
 */
export async function findRules(db: Kysely<Database>, lock = false): Promise<InspectionRules> {
  const { inspectionRules: saved } = await db
    .selectFrom('settings')
    .select('inspectionRules')
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
  const { rules = [], ...others } = saved as Partial<InspectionRules>
  return {
    rules: INSPECTION_RULES.map(
      (rule) =>
        rules.find((one) => one.rule === rule) ?? { rule, enabled: true, threshold: THRESHOLDS[rule] },
    ),
    ...USUAL,
    ...others,
  }
}

/** Returns the version of the rules, by which a change notices a concurrent one. */
const version = ({ rules, hoursFrom, hoursTo, cycleMonths, inspectionMethod, followUp }: InspectionRules) =>
  versionOf([
    rules.map(({ rule, enabled, threshold }) => [rule, enabled, threshold]),
    hoursFrom,
    hoursTo,
    cycleMonths,
    inspectionMethod,
    followUp,
  ])

/** Returns the rules by which months are inspected, and their version (rules/audit#inspection-rules). */
export const getInspectionRules: Handler<typeof readEndpoint> = async ({ db }) => {
  const set = await findRules(db)
  return { ...set, version: version(set) }
}

/**
 * Changes the rules for future searches, with an audit row. Rules and texts that the input omits stay unchanged.
 * @throws {Refusal} RECORD_CHANGED if the rules changed since `version`
 */
export const updateInspectionRules: Handler<typeof updateEndpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    const before = await findRules(tx, true)
    if (input.version !== version(before)) refuse('RECORD_CHANGED')
    const { hoursFrom, hoursTo } = input
    const {
      cycleMonths = before.cycleMonths,
      inspectionMethod = before.inspectionMethod,
      followUp = before.followUp,
    } = input
    const rules = before.rules.map((old) => input.rules.find(({ rule }) => rule === old.rule) ?? old)
    const after = { rules, hoursFrom, hoursTo, cycleMonths, inspectionMethod, followUp }
    await sql`update settings set inspection_rules = ${JSON.stringify(after)}::jsonb`.execute(tx)
    await call.audit(tx, {
      target: 'inspection',
      detail: differences(flat(before), flat(after)),
      records: null,
    })
  })
  return {}
}

/** Returns the rules as one object for the audit log: the threshold of each rule, or false if it is disabled. */
const flat = ({ rules, ...others }: InspectionRules) => ({
  ...Object.fromEntries(rules.map(({ rule, enabled, threshold }) => [rule, enabled && threshold])),
  ...others,
})
