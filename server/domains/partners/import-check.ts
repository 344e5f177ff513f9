import type { Kysely } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { ParsedInputOf } from '../../../contract/endpoint.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { exceeded, LIMITS, PARTNER_TYPE } from '../../../contract/partners.ts'
import {
  type checkPartnerImport as endpoint,
  importedPartner,
  PARTNER_IMPORT_COLUMNS,
  type PartnerImportColumn,
} from '../../../contract/partners/import.ts'
import { anyOf } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import {
  byNames,
  type CellError,
  mapInTurns,
  nameFault,
  nameKey,
  placeOf,
  rowErrors,
} from '../../services/import-rows.ts'
import { findPlaces } from './regions.ts'

type Row = ParsedInputOf<typeof endpoint>['rows'][number]
type Said = CellError<PartnerImportColumn>

/** Partner types by code and by name in either language. */
const TYPES = byNames(
  Object.values(PARTNER_TYPE).map((type) => ({
    code: type,
    name_ko: catalogues.ko.partners.type[type],
    name_en: catalogues.en.partners.type[type],
  })),
)

/** Texts for no limit in the export and on the wire. */
const NO_LIMIT = new Set([
  '-1',
  ...Object.values(catalogues).map(({ partners }) => nameKey(partners.noLimit)),
])

const withoutLimit = (text: string) => (NO_LIMIT.has(nameKey(text)) ? '' : text)

/**
 * Checks every row by the rules of the form and against the database: codes that are in use or appear twice, unknown and closed
 * affiliations, places that do not exist (rules/partners#import-check). The number of queries does not depend on the number of rows.
 * @returns the partners, and the errors by row. The caller must write partners only if there are no errors
 */
export async function checkRows(db: Kysely<Database>, rows: readonly Row[], language: Language) {
  const messages = catalogues[language]
  const known = await lookUp(db, rows)
  const seen = new Map<string, string>()
  const errors: Said[] = []
  const warnings: Said[] = []

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
    if (typeof region === 'string') own.wrong(region, messages.errors.REGION_NOT_FOUND)

    errors.push(...own.list(number))
    if (!parsed.success) return []
    warnings.push(...aboveLonger(parsed.data, messages).map((said) => ({ row: number, ...said })))
    return own.isGood && typeof region !== 'string' ? [{ input: parsed.data, region }] : []
  })
  return { partners: looked.flat(), errors, warnings, nameOf: known.nameOf }
}

/** Returns a warning for each limit above that of a longer period, which the form allows (rules/partners#partner-limits). */
function aboveLonger(limits: Parameters<typeof exceeded>[0], { fields, partners }: Messages) {
  return LIMITS.flatMap((field) => {
    const longer = exceeded(limits, field)
    if (longer === undefined) return []
    const most = (limits[longer] ?? 0).toLocaleString('en')
    return [{ field, message: partners.form.above(fields[longer], most) }]
  })
}

/** Returns the records that the rows refer to, read with one query for all rows. */
async function lookUp(db: Kysely<Database>, rows: readonly Row[]) {
  const affiliations = await db
    .selectFrom('codes')
    .select(['code', 'name_ko', 'name_en', 'closed_at'])
    .where('group_code', '=', CODE_GROUP.affiliation)
    .execute()
  const regionOf = await findPlaces(db, rows)
  const taken = await db
    .selectFrom('partners')
    .select('code')
    .where('code', '=', anyOf(rows.map((row) => row.partnerCode.trim().toUpperCase())))
    .execute()
  const names = new Map(affiliations.map((row) => [row.code, row]))
  return {
    affiliations: byNames(affiliations),
    closed: new Set(affiliations.filter((row) => row.closed_at !== null).map(({ code }) => code)),
    regionOf,
    taken: new Set(taken.map(({ code }) => code)),
    nameOf: (code: string, wanted: Language) => names.get(code)?.[`name_${wanted}`] ?? '',
  }
}
