import { sql } from 'kysely'
import { inBranch } from '../roles/index.ts'
import type { Actor } from '../../../contract/permissions.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { findExceededLimit, LIMITS, PARTNER_TYPE } from '../../../contract/partners.ts'
import {
  type checkPartnerImport as endpoint,
  importedPartner,
  PARTNER_IMPORT_COLUMNS,
  type PartnerImportColumn,
  type importPartners as importEndpoint,
  PARTNER_IMPORT_PREVIEWED,
} from '../../../contract/partners/import.ts'
import { anyOf, nameColumn } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import {
  byNames,
  type CellError,
  mapInTurns,
  nameFault,
  nameKey,
  placeOf,
  rowErrors,
  allOrNone,
  ERRORS_SHOWN,
} from '../imports/index.ts'
import { findPlaces, regionFault } from './regions.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Handler } from '../../http/handler.ts'
import { insertPartners, newPartner } from './write.ts'

/** Row of an imported file, with the texts of its cells. */
type Row = ParsedInputOf<typeof endpoint>['rows'][number]
/** Error or warning of a cell. */
type PartnerCellError = CellError<PartnerImportColumn>

/** Codes of the partner types, by code and by name in either language. */
const TYPES = byNames(
  Object.values(PARTNER_TYPE).map((type) => ({
    code: type,
    nameKo: catalogues.ko.partners.type[type],
    nameEn: catalogues.en.partners.type[type],
  })),
)

/** Texts that mean no limit, as the export and the wire write it. */
const NO_LIMIT = new Set([
  '-1',
  ...Object.values(catalogues).map(({ partners }) => nameKey(partners.noLimit)),
])

/** Returns the text of a cell with a limit; '' if it means no limit. */
const withoutLimit = (text: string) => (NO_LIMIT.has(nameKey(text)) ? '' : text)

/**
 * Checks every row by the rules of the form and against the database: codes that are in use or appear twice, unknown
 * and closed affiliations, regions that do not exist (rules/partners#import-check). The number of queries does not
 * depend on the number of rows.
 * @returns the partners of the rows without errors, with their regions; all errors and warnings, with the numbers of
 * their rows; and a function for the names of affiliations. The caller must write partners only if there are no errors
 */
async function checkRows(db: Db, actor: Actor, rows: readonly Row[], language: Language) {
  const messages = catalogues[language]
  const known = await findReferences(db, actor, rows)
  const seen = new Map<string, string>()
  const errors: PartnerCellError[] = []
  const warnings: PartnerCellError[] = []

  const looked = await mapInTurns(rows, ({ line, ...row }, index) => {
    const number = index + 1
    const own = rowErrors(PARTNER_IMPORT_COLUMNS, messages)
    const affiliationCode = known.affiliations.get(nameKey(row.affiliationCode))
    const partnerType = TYPES.get(nameKey(row.partnerType))
    for (const [field, code] of Object.entries({ affiliationCode, partnerType }) as [
      keyof Row & PartnerImportColumn,
      (string | null)?,
    ][]) {
      const fault = nameFault(code, messages)
      if (fault !== undefined && row[field].trim() !== '') own.wrong(field, fault)
    }
    if (typeof affiliationCode === 'string' && known.closed.has(affiliationCode))
      own.wrong('affiliationCode', messages.errors.AFFILIATION_CLOSED)
    const limits = Object.fromEntries(LIMITS.map((limit) => [limit, withoutLimit(row[limit])]))
    const parsed = importedPartner.safeParse({
      ...row,
      ...limits,
      affiliationCode: affiliationCode ?? '',
      partnerType: partnerType ?? '',
    })
    own.takeIssues(parsed.error?.issues)

    const code = row.partnerCode.trim().toUpperCase()
    const first = seen.get(code)
    if (known.taken.has(code)) own.wrong('partnerCode', messages.errors.PARTNER_CODE_TAKEN)
    else if (first !== undefined) own.wrong('partnerCode', first)
    else if (code !== '') seen.set(code, placeOf(messages.imports.partners, line, number))

    const region = known.regionOf(row)
    if ('field' in region) own.wrong(region.field, regionFault(region, messages))

    errors.push(...own.list(number))
    if (!parsed.success) return []
    warnings.push(...warnAboveLonger(parsed.data, messages).map((said) => ({ row: number, ...said })))
    return own.isGood && !('field' in region) ? [{ input: parsed.data, region }] : []
  })
  return { partners: looked.flat(), errors, warnings, nameOf: known.nameOf }
}

/** Returns a warning for each limit above that of a longer period, which the form allows (rules/partners#partner-limits). */
function warnAboveLonger(limits: Parameters<typeof findExceededLimit>[0], { fields, partners }: Messages) {
  return LIMITS.flatMap((field) => {
    const longer = findExceededLimit(limits, field)
    if (longer === undefined) return []
    const most = (limits[longer] ?? 0).toLocaleString('en')
    return [{ field, message: partners.form.above(fields[longer], most) }]
  })
}

/**
 * Returns what the rows refer to, from one query per table: affiliations within the actor's branch, closed ones,
 * regions, and those codes of the rows that are in use.
 */
async function findReferences(db: Db, actor: Actor, rows: readonly Row[]) {
  const affiliations = await db
    .selectFrom('codes')
    .select(['code', 'nameKo', 'nameEn', 'closedAt'])
    .where('groupCode', '=', CODE_GROUP.affiliation)
    .where(inBranch(actor, sql.ref('code')))
    .execute()
  const regionOf = await findPlaces(db)
  const taken = await db
    .selectFrom('partners')
    .select('code')
    .where('code', '=', anyOf(rows.map((row) => row.partnerCode.trim().toUpperCase())))
    .execute()
  const names = new Map(affiliations.map((row) => [row.code, row]))
  return {
    affiliations: byNames(affiliations),
    closed: new Set(affiliations.filter((row) => row.closedAt !== null).map(({ code }) => code)),
    regionOf,
    taken: new Set(taken.map(({ code }) => code)),
    nameOf: (code: string, wanted: Language) => names.get(code)?.[nameColumn[wanted]] ?? '',
  }
}

/**
 * Returns the numbers of rows and errors, the first ERRORS_SHOWN errors and warnings, and a preview of the first rows
 * without errors (rules/partners#import-check). Writes nothing, and refuses nothing.
 */
export const checkPartnerImport: Handler<typeof endpoint> = async ({ db, actor, language }, { rows }) => {
  const { partners, errors, warnings, nameOf } = await checkRows(db, actor, rows, language)
  return {
    rowCount: rows.length,
    errorCount: errors.length,
    errors: errors.slice(0, ERRORS_SHOWN),
    warnings: warnings.slice(0, ERRORS_SHOWN),
    preview: partners.slice(0, PARTNER_IMPORT_PREVIEWED).map(({ input, region }) => ({
      ...input,
      ...region,
      affiliationName: nameOf(input.affiliationCode, language),
    })),
  }
}

/**
 * Registers the partners of all rows or none in one transaction, after it repeats all checks (rules/partners#import-partners).
 * Writes an audit row for each. Warnings do not prevent it.
 * @returns the number of rows
 * @throws {Refusal} IMPORT_INVALID if a row has an error, also one that arose since the check
 */
export const importPartners: Handler<typeof importEndpoint> = async (call, { rows }) => {
  await call.db.transaction().execute(async (tx) => {
    const { partners, errors } = await checkRows(tx, call.actor, rows, call.language)
    if (errors.length > 0) refuse('IMPORT_INVALID')
    const made = partners.map(({ input, region }) => newPartner(input, region))
    const ids = await allOrNone(() => insertPartners(tx, made))
    await call.auditEach(
      tx,
      made.map((partner, index) => ({ id: ids[index] ?? '', target: partner.code, detail: partner })),
    )
  })
  return { rowCount: rows.length }
}
