import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import {
  anyText,
  cellError,
  code,
  dateOrEmpty,
  datesInOrder,
  line,
  lineOrEmpty,
  multiline,
  partnerCode,
} from '../fields.ts'
import { partnerLimit, typedLimit } from './limits.ts'
import {
  CONTACT_LENGTH,
  managePartners,
  PARTNER_MEMO_LENGTH,
  PARTNER_NAME_LENGTH,
  PARTNER_TYPE,
} from './record.ts'

/** The most partner codes in one import, which runs in one transaction. */
export const PARTNER_IMPORT_MAX_ROWS = 1000

/** The columns of a file of new partner codes, in the order of its template (rules/partners#import-partners). */
export const PARTNER_IMPORT_COLUMNS = [
  'partnerCode',
  'partnerType',
  'affiliationCode',
  'provinceName',
  'districtName',
  'partnerName',
  'contact',
  'memo',
  'maxKeysPerDay',
  'maxKeysPerWeek',
  'maxKeysPerMonth',
  'maxKeysTotal',
  'validFrom',
  'validTo',
] as const

/** A column of a file of new partner codes. */
export type PartnerImportColumn = (typeof PARTNER_IMPORT_COLUMNS)[number]

/**
 * The schema of a row after affiliation and type are replaced by codes; it has the rules of the form (rules/partners#import-check).
 */
export const importedPartner = z
  .strictObject({
    partnerCode,
    partnerType: z.enum(Object.values(PARTNER_TYPE), 'required'),
    affiliationCode: code,
    provinceName: line(40),
    districtName: line(40),
    partnerName: lineOrEmpty(PARTNER_NAME_LENGTH),
    contact: lineOrEmpty(CONTACT_LENGTH),
    memo: multiline(PARTNER_MEMO_LENGTH),
    maxKeysPerDay: typedLimit,
    maxKeysPerWeek: typedLimit,
    maxKeysPerMonth: typedLimit,
    maxKeysTotal: typedLimit,
    validFrom: dateOrEmpty,
    validTo: dateOrEmpty,
  } satisfies Record<PartnerImportColumn, unknown>)
  .check(datesInOrder)

/** The most partner codes that a dry run returns as they would be registered. */
export const PARTNER_IMPORT_PREVIEWED = 20

/** A cell: any text up to the longest of a spreadsheet, because errors are reported by row. */
const cell = z._default(anyText(32_767), '')

/** The rows of a file. `line` is the row number in the user's spreadsheet, with header and blank rows counted; errors name it. */
const rows = z
  .array(
    z.strictObject({
      partnerCode: cell,
      partnerType: cell,
      affiliationCode: cell,
      provinceName: cell,
      districtName: cell,
      partnerName: cell,
      contact: cell,
      memo: cell,
      maxKeysPerDay: cell,
      maxKeysPerWeek: cell,
      maxKeysPerMonth: cell,
      maxKeysTotal: cell,
      validFrom: cell,
      validTo: cell,
      line: z.optional(z.int('codeFormat').check(z.positive('codeFormat'))),
    } satisfies Record<PartnerImportColumn | 'line', unknown>),
    'notRows',
  )
  .check(
    z.minLength(1, 'notRows'),
    z.maxLength(PARTNER_IMPORT_MAX_ROWS, `tooManyRows|${PARTNER_IMPORT_MAX_ROWS}`),
  )

/** An error or a warning about a cell. */
const saidOfCell = cellError(PARTNER_IMPORT_COLUMNS)

/** A partner code as a row would register it. */
const previewed = z.object({
  partnerCode: z.string(),
  partnerType: z.enum(Object.values(PARTNER_TYPE)),
  /** In the caller's language. */
  affiliationName: z.string(),
  provinceName: z.string(),
  districtName: z.string(),
  partnerName: z.string(),
  contact: z.string(),
  memo: z.string(),
  maxKeysPerDay: partnerLimit,
  maxKeysPerWeek: partnerLimit,
  maxKeysPerMonth: partnerLimit,
  maxKeysTotal: partnerLimit,
  validFrom: z.string(),
  validTo: z.string(),
})

/** Maximum size of the body in bytes: fits 1,000 rows with the longest memos in the envelope. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Checks the rows of an import and returns the errors of every wrong cell; writes nothing (rules/partners#import-check).
 * Affiliation and type are given by code or by name. `errors` holds the first thousand of `errorCount`. `warnings` holds the first
 * thousand limits that are above that of a longer period, which is allowed. `preview` holds the first twenty partner codes of valid
 * rows.
 */
export const checkPartnerImport = endpoint({
  path: '/pid/v1/chk/import',
  summary: 'Check rows of new partner codes without writing anything',
  title: { ko: '파트너 코드 일괄 등록 확인', en: 'Checked rows of partner codes' },
  access: managePartners,
  scope: 'partners:read',
  input: z.strictObject({ rows }),
  output: z.object({
    rowCount: z.number(),
    errorCount: z.number(),
    errors: z.array(saidOfCell),
    warnings: z.array(saidOfCell),
    preview: z.array(previewed),
  }),
  audit: 'none',
  personal: 'none',
  maxBytes: MAX_BYTES,
  limit: USUAL_LIMIT,
})

/**
 * Registers all rows or none: IMPORT_INVALID if `checkPartnerImport` finds an error. Each has the same audit row as a
 * single registration (rules/partners#import-partners).
 */
export const importPartners = endpoint({
  path: '/pid/v1/ins/import',
  summary: 'Register many partner codes',
  title: { ko: '파트너 코드 일괄 등록', en: 'Registered partner codes' },
  access: managePartners,
  scope: 'partners:write',
  input: z.strictObject({ rows }),
  output: z.object({ rowCount: z.number() }),
  errors: ['IMPORT_INVALID'],
  audit: 'partner.create',
  personal: 'none',
  auditsEach: true,
  maxBytes: MAX_BYTES,
  limit: USUAL_LIMIT,
})
