import {
  AFFILIATION_COLUMNS,
  affiliationRow,
  type checkAffiliations as checking,
  type createAffiliations as endpoint,
} from '../../../contract/affiliations.ts'
import type { OutputOf, ParsedInputOf } from '../../../contract/endpoint.ts'
import { refuse } from '../../../contract/errors.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
import { toTree } from '../../../contract/common.ts'
import type { Db } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { allOrNone, nameKey, rowErrors } from '../imports/index.ts'
import { findPlaces, insertPartners, regionFault } from '../partners/index.ts'
import { checkHoldersAbove } from './change.ts'
import { insertAffiliations, partnerOf } from './create.ts'
import { bothNames } from './names.ts'
import { allAffiliations, findTaken, lockAffiliations } from './queries.ts'
import { type Present, parentsOf } from './row-parents.ts'

/** Input of `createAffiliations`: rows, and the type and region for rows without their own. */
type Input = ParsedInputOf<typeof endpoint>
/** Error of a cell. */
type RowError = OutputOf<typeof checking>['errors'][number]

/**
 * Returns the errors of the rows of `createAffiliations`, and the other rows in the order of their tree, as they would
 * be added. Writes nothing.
 */
export const checkAffiliations: Handler<typeof checking> = async ({ db, language }, input) => {
  const present = await allAffiliations(db).execute()
  const { rows, errors } = await checkRows(db, input, present, catalogues[language], 0)
  const shown = rows.map(({ region, above, ...row }) => {
    const { provinceName, districtName } = region
    return { ...row, provinceName, districtName, parentCode: above === undefined ? '' : String(above) }
  })
  return {
    rowCount: input.rows.length,
    errors,
    preview: toTree(shown, ({ index }) => String(index)),
  }
}

/**
 * Adds all rows or none, each with its default partner code, after it repeats all checks
 * (rules/affiliations#several-at-once). A row without a partner code gets one from its affiliation code. Writes one
 * audit row for all. A refusal loses the affiliation codes that it took.
 * @returns the number of rows
 * @throws {Refusal} IMPORT_INVALID if a row has an error, also one that arose since the check; FORBIDDEN as
 * `checkHoldersAbove`
 */
export const createAffiliations: Handler<typeof endpoint> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    // Locks all affiliations: a concurrent move of a parent could make the tree too deep.
    const present = await lockAffiliations(tx)
    const messages = catalogues[call.language]
    const { rows, errors, taken } = await checkRows(tx, input, present, messages, input.rows.length)
    if (errors.length > 0) refuse('IMPORT_INVALID')
    const parentCodes = rows.flatMap(({ parentCode }) => parentCode ?? [])
    if (parentCodes.length > 0) await checkHoldersAbove(tx, call.actor, parentCodes)
    const codes = taken.drawn
    const free = freeCodes(rows, taken.partnerCodes)
    const partners = rows.map(({ partnerCode, region }, index) => {
      const code = codes[index] ?? ''
      const limits = { maxKeysPerDay: null, maxKeysPerWeek: null, maxKeysPerMonth: null, maxKeysTotal: null }
      const own = partnerCode === '' ? free(code) : partnerCode
      return {
        ...partnerOf({ ...limits, partnerCode: own, partnerType: input.partnerType }, code),
        ...region,
      }
    })
    const ids = await allOrNone(() => insertPartners(tx, partners))
    const made = rows.map(({ name, nameEn, parentCode, above }, index) => ({
      name,
      nameEn,
      parentCode: above === undefined ? parentCode : codes[above],
      code: codes[index] ?? '',
      partnerId: ids[index] ?? '',
    }))
    await allOrNone(() => insertAffiliations(tx, made))
    await call.audit(tx, {
      target: codes.join(', '),
      records: [
        ...codes.map((code) => `affiliation/${code}` as const),
        ...ids.map((id) => `partner/${id}` as const),
      ],
      detail: {
        affiliations: made.map(({ code, name, nameEn, parentCode }, index) => [
          code,
          name,
          nameEn,
          partners[index]?.code,
          ...(parentCode === undefined ? [] : [parentCode]),
        ]),
      },
    })
  })
  return { rowCount: input.rows.length }
}

/**
 * Returns a function that creates a partner code from the affiliation's code, and remembers it as in use. It appends a
 * number if the code is already in use.
 */
function freeCodes(rows: readonly { partnerCode: string }[], takenCodes: ReadonlySet<string>) {
  const taken = new Set([...takenCodes, ...rows.map(({ partnerCode }) => partnerCode)])
  return (affiliation: string): string => {
    let code = affiliation
    for (let number = 2; taken.has(code); number += 1) code = `${affiliation}-${number}`
    taken.add(code)
    return code
  }
}

/**
 * Returns the errors by row and column, the rows that can be written, and the names and codes in use. Writes nothing,
 * but takes `draw` codes from a sequence.
 * @param present the existing affiliations
 * @param draw number of new affiliation codes to take, which `taken.drawn` contains; 0 for a check only
 */
async function checkRows(
  db: Db,
  input: Input,
  present: readonly Present[],
  messages: Messages,
  draw: number,
) {
  const t = messages.imports.affiliations
  const named = input.rows.map((row) => {
    // A row without province and district uses those of the form; a row with either must have both.
    const hasPlace = row.provinceName.trim() !== '' || row.districtName.trim() !== ''
    const { provinceName, districtName } = hasPlace ? row : input
    return { ...row, provinceName, districtName }
  })
  const partnerCodes = named.map((row) => row.partnerCode.trim().toUpperCase())
  const taken = await findTaken(db, { partnerCodes, draw })
  const regionOf = await findPlaces(db)
  const seen = { names: new Map<string, number>(), partners: new Map<string, number>() }

  const looked = named.map((row, index) => {
    const line = index + 1
    const own = rowErrors(AFFILIATION_COLUMNS, messages)
    const { wrong } = own
    const parsed = affiliationRow.safeParse(row)
    own.takeIssues(parsed.error?.issues)
    const region = regionOf(row)
    if ('field' in region) wrong(region.field, regionFault(region, messages))
    const ownNames = new Set<string>()
    for (const field of ['name', 'nameEn'] as const) {
      const key = nameKey(row[field])
      if (key === '') continue
      const first = seen.names.get(key)
      if (taken.names.has(key)) wrong(field, messages.errors.AFFILIATION_NAME_TAKEN)
      else if (first !== undefined) wrong(field, t.twice(first))
      ownNames.add(key)
    }
    for (const key of ownNames) if (!seen.names.has(key)) seen.names.set(key, line)
    const partner = row.partnerCode.trim().toUpperCase()
    const first = seen.partners.get(partner)
    if (partner !== '') {
      if (taken.partnerCodes.has(partner)) wrong('partnerCode', messages.errors.PARTNER_CODE_TAKEN)
      else if (first !== undefined) wrong('partnerCode', t.twice(first))
      else seen.partners.set(partner, line)
    }
    const isGood = own.isGood && parsed.success && !('field' in region)
    return {
      own,
      line,
      good: isGood
        ? { ...parsed.data, ...bothNames(parsed.data), parentName: row.parentName.trim(), region }
        : undefined,
    }
  })
  const parentOf = parentsOf(named, present, (index) => looked[index]?.good !== undefined)
  const errors: RowError[] = []
  const rows = looked.flatMap(({ own, line, good }, index) => {
    const parent = parentOf(index)
    if (typeof parent === 'string') own.wrong('parentName', parentFaults(messages)[parent])
    errors.push(...own.list(line))
    return good === undefined || typeof parent === 'string' ? [] : [{ ...good, ...parent, index }]
  })
  return { rows, errors, taken }
}

/** Returns the text of each reason why a row cannot be below its parent. */
const parentFaults = ({ errors, imports }: Messages) => ({
  ambiguous: imports.ambiguous,
  unknown: imports.affiliations.parentUnknown,
  wrong: imports.affiliations.parentWrong,
  tree: errors.AFFILIATION_PARENT,
})
