import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { anyText, cellError, code, filter, flag, line, partnerCode, recordVersion } from './fields.ts'
import { PARTNER_TYPE, partnerLimit } from './partners.ts'

/** Access policy of the calls that manage affiliations. */
const manage = { function: ['autho_setting_manage'] } as const

/** The most affiliations that one call adds or closes; more rows are refused ('tooManyRows'). */
export const AFFILIATIONS_AT_ONCE = 500

/** The columns of a file of affiliations (rules/affiliations#several-at-once). */
export const AFFILIATION_COLUMNS = [
  'name',
  'nameEn',
  'partnerCode',
  'provinceName',
  'districtName',
  'parentName',
] as const

/** A column of a file of affiliations. */
export type AffiliationColumn = (typeof AFFILIATION_COLUMNS)[number]

/** The most levels of the tree (rules/affiliations#tree). */
export const AFFILIATION_LEVELS = 4

/** The names of an affiliation. Without an English name the Korean one is used in both languages. */
const names = { name: line(50), nameEn: filter(50) }

/** Type of the default partner. */
const partnerType = z.enum(Object.values(PARTNER_TYPE), 'codeFormat')

/** The region of an office. */
const place = { provinceName: line(40), districtName: line(40) }

/** The default partner code that is created with an affiliation; its dates are set later on its own page. */
const partner = {
  partnerCode,
  partnerType,
  ...place,
  maxKeysPerDay: partnerLimit,
  maxKeysPerWeek: partnerLimit,
  maxKeysPerMonth: partnerLimit,
  maxKeysTotal: partnerLimit,
}

/** Lists every affiliation in the stored order, with its counts and default partner (rules/affiliations#list). */
export const listAffiliations = endpoint({
  path: '/aff/v1/get/affiliations',
  summary: 'List affiliations with their users, partner codes and keys',
  access: manage,
  output: z.object({
    affiliations: z.array(
      z.object({
        affiliationCode: z.string(),
        /** In Korean; the next field in English. */
        name: z.string(),
        nameEn: z.string(),
        closed: flag,
        /** Code of the affiliation above it; '' at the top. */
        parentCode: z.string(),
        /** True if it is another company, with those below it (rules/affiliations#external). */
        external: flag,
        /** Number of accounts that are not withdrawn. */
        userCount: z.number(),
        partnerCount: z.number(),
        /** Number of keys that were ever issued. */
        keyCount: z.number(),
        /** The default partner code and the region of its office; '' without one. */
        partnerCode: z.string(),
        provinceName: z.string(),
        districtName: z.string(),
        /** Version of the affiliation; the client sends it back with an edit. */
        version: z.string(),
      }),
    ),
    /** Version of the order; the client sends it back with a new order. */
    version: z.string(),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Adds an affiliation at the end and at the top of the tree, under the next code, with its default partner code.
 * AFFILIATION_NAME_TAKEN, PARTNER_CODE_TAKEN or REGION_NOT_FOUND if one of them does not fit.
 */
export const createAffiliation = endpoint({
  path: '/aff/v1/ins/affiliation',
  summary: 'Add an affiliation with its default partner code',
  access: manage,
  input: z.strictObject({ ...names, ...partner }),
  output: z.object({ affiliationCode: z.string() }),
  errors: ['AFFILIATION_NAME_TAKEN', 'PARTNER_CODE_TAKEN', 'REGION_NOT_FOUND'],
  audit: 'affiliation.create',
  personal: 'none',
})

/** A cell of the file: any text, because errors are reported by row and one bad cell must not reject the whole input. */
const cell = z._default(anyText(300), '')

/** Rows of a file, and the type and region that rows without their own get. */
const many = {
  rows: z
    .array(
      z.strictObject({
        name: cell,
        nameEn: cell,
        partnerCode: cell,
        provinceName: cell,
        districtName: cell,
        /** Name or code of the affiliation above it: an existing one or another row; '' at the top. */
        parentName: cell,
      } satisfies Record<AffiliationColumn, unknown>),
      'notRows',
    )
    .check(
      z.minLength(1, 'notRows'),
      z.maxLength(AFFILIATIONS_AT_ONCE, `tooManyRows|${AFFILIATIONS_AT_ONCE}`),
    ),
  partnerType,
  /** The region of the rows that have none; empty if every row has one. */
  provinceName: filter(40),
  districtName: filter(40),
}

/** A row of the file with its region filled in. The server generates a missing partner code. */
export const affiliationRow = z.strictObject({
  ...names,
  partnerCode: z.union([z.literal(''), partnerCode], { error: 'partnerCodeFormat' }),
  ...place,
  parentName: cell,
})

/** Checks rows to add and returns the errors of every wrong cell, and the good rows in the order of their tree; writes nothing. */
export const checkAffiliations = endpoint({
  path: '/aff/v1/chk/affiliations',
  summary: 'Check rows of new affiliations without writing anything',
  access: manage,
  input: z.strictObject(many),
  output: z.object({
    rowCount: z.number(),
    errors: z.array(cellError(AFFILIATION_COLUMNS)),
    /** The rows without errors as they would be added; '' for a partner code that the server would generate. */
    preview: z.array(
      z.object({
        name: z.string(),
        nameEn: z.string(),
        partnerCode: z.string(),
        provinceName: z.string(),
        districtName: z.string(),
        parentName: z.string(),
        /** Number of rows of the list above it. */
        depth: z.number(),
      } satisfies Record<AffiliationColumn | 'depth', unknown>),
    ),
  }),
  audit: 'none',
  personal: 'none',
  perPerson: 'heavy',
})

/**
 * Adds all rows or none, each with its default partner code (rules/affiliations#several-at-once). IMPORT_INVALID if
 * `checkAffiliations` finds an error. FORBIDDEN if a row is below an affiliation of a user with a branch role that the
 * caller may not grant.
 */
export const createAffiliations = endpoint({
  path: '/aff/v1/ins/affiliations',
  summary: 'Add several affiliations',
  access: manage,
  input: z.strictObject(many),
  output: z.object({ rowCount: z.number() }),
  errors: ['IMPORT_INVALID'],
  audit: 'affiliation.import',
  personal: 'none',
  perPerson: 'heavy',
})

/** The affiliation to change, with the version that the caller has read. */
const edited = { affiliationCode: code, version: recordVersion }

/**
 * Renames an affiliation in both languages. AFFILIATION_NAME_TAKEN if another one has the name, RECORD_CHANGED if it
 * has changed since `version`.
 */
export const renameAffiliation = endpoint({
  path: '/aff/v1/upd/affiliation',
  summary: 'Rename an affiliation',
  access: manage,
  input: z.strictObject({ ...edited, ...names }),
  errors: ['AFFILIATION_NOT_FOUND', 'AFFILIATION_NAME_TAKEN', 'RECORD_CHANGED'],
  audit: 'affiliation.rename',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Puts an affiliation, with those below it, below another one or at the top (rules/affiliations#tree). Branch roles of
 * affiliations above it reach its users from then on. `external` makes it another company
 * (rules/affiliations#external); left out, it stays. FORBIDDEN if a user has such a branch role, or a role that reaches
 * more or less by another company, that the caller may not grant. AFFILIATION_PARENT if it would be below itself, or if
 * the tree would have more than four levels. AFFILIATION_OWN_EXTERNAL if the caller would be in another company,
 * LAST_ADMIN if every 관리자 would be, LAST_ADMIN_ENDS if the last one would end earlier than before.
 */
export const changeParentAffiliation = endpoint({
  path: '/aff/v1/upd/parent',
  summary: 'Put an affiliation below another one',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({ ...edited, parentCode: filter(40), external: z.optional(flag) }),
  errors: [
    'AFFILIATION_NOT_FOUND',
    'AFFILIATION_PARENT',
    'AFFILIATION_OWN_EXTERNAL',
    'LAST_ADMIN',
    'LAST_ADMIN_ENDS',
    'RECORD_CHANGED',
  ],
  audit: 'affiliation.parent',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Changes the order of all affiliations, whose codes the input lists; RECORD_CHANGED if the list or its order has
 * changed since `version`, or a code is missing.
 */
export const orderAffiliations = endpoint({
  path: '/aff/v1/upd/order',
  summary: 'Order the affiliations',
  access: manage,
  input: z.strictObject({
    affiliationCodes: z
      .array(code, { error: 'notAList' })
      .check(z.minLength(1, 'notAList'), z.maxLength(10_000, 'notAList')),
    version: recordVersion,
  }),
  errors: ['RECORD_CHANGED'],
  audit: 'affiliation.order',
  auditsChangeOnly: true,
  personal: 'none',
})

/**
 * Closes an affiliation: it keeps its users, but no other user can be assigned to it (rules/affiliations#close).
 * AFFILIATION_LAST for the last open one, RECORD_CHANGED if it is closed already or has changed since `version`.
 */
export const closeAffiliation = endpoint({
  path: '/aff/v1/cls/affiliation',
  summary: 'Close an affiliation',
  access: manage,
  input: z.strictObject(edited),
  errors: ['AFFILIATION_NOT_FOUND', 'AFFILIATION_LAST', 'RECORD_CHANGED'],
  audit: 'affiliation.close',
  personal: 'none',
})

/**
 * Closes several affiliations, all or none, with the refusals of `closeAffiliation`. A new portal starts with eight
 * that are not the company's.
 */
export const closeAffiliations = endpoint({
  path: '/aff/v1/cls/affiliations',
  summary: 'Close several affiliations',
  access: manage,
  input: z.strictObject({
    affiliations: z
      .array(z.strictObject(edited), { error: 'notAList' })
      .check(z.minLength(1, 'notAList'), z.maxLength(AFFILIATIONS_AT_ONCE, 'notAList')),
  }),
  errors: ['AFFILIATION_NOT_FOUND', 'AFFILIATION_LAST', 'RECORD_CHANGED'],
  audit: 'affiliation.close',
  personal: 'none',
})

/** Reopens a closed affiliation. RECORD_CHANGED if it is open already or has changed since `version`. */
export const reopenAffiliation = endpoint({
  path: '/aff/v1/opn/affiliation',
  summary: 'Reopen an affiliation',
  access: manage,
  input: z.strictObject(edited),
  errors: ['AFFILIATION_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'affiliation.reopen',
  personal: 'none',
})

/**
 * Creates a partner code for an affiliation; it becomes the default one if there is none
 * (rules/affiliations#default-partner). AFFILIATION_CLOSED for a closed one, FORBIDDEN for one of another branch,
 * PARTNER_CODE_TAKEN for a code in use. Its callers also manage partners: a form that lacks a partner code links to it.
 */
export const createAffiliationPartner = endpoint({
  path: '/aff/v1/ins/partner',
  summary: 'Create a partner code for an affiliation',
  access: { function: ['autho_setting_manage', 'autho_partner_search'] },
  input: z.strictObject({ affiliationCode: code, ...partner }),
  output: z.object({ partnerCode: z.string(), isDefault: flag }),
  errors: ['AFFILIATION_NOT_FOUND', 'AFFILIATION_CLOSED', 'PARTNER_CODE_TAKEN', 'REGION_NOT_FOUND'],
  audit: 'affiliation.partner',
  personal: 'none',
})

/**
 * Sets another partner code of an affiliation as its default. PARTNER_NOT_FOUND for a code of another affiliation,
 * PARTNER_STOPPED for a deactivated one.
 */
export const chooseDefaultPartner = endpoint({
  path: '/aff/v1/upd/partner',
  summary: 'Choose the default partner code of an affiliation',
  access: manage,
  input: z.strictObject({ ...edited, partnerCode }),
  errors: ['AFFILIATION_NOT_FOUND', 'PARTNER_NOT_FOUND', 'PARTNER_STOPPED', 'RECORD_CHANGED'],
  audit: 'affiliation.default',
  auditsChangeOnly: true,
  personal: 'none',
})
