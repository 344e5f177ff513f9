import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Database } from '../../db/types.ts'
import { versionOf } from '../../db/version.ts'

type Columns = ExpressionBuilder<
  Omit<Database, 'p' | 'b'> & {
    p: Database['partners']
    b: { [K in keyof Database['codes']]: Database['codes'][K] | null }
  },
  'p' | 'b'
>

/** What list and detail show of a partner (spec §3); `b` is its affiliation, which may be a code that is no more. */
export function partnerColumns(language: Language) {
  return (eb: Columns) =>
    [
      'p.code as PARTNER_CODE',
      'p.type as PARTNER_TYPE',
      'p.affiliation_code as BELONGTO_CODE',
      sql<string>`coalesce(${eb.ref(`b.name_${language}`)}, p.affiliation_code)`.as('BELONGTO_CODE_NAME'),
      'p.province_name as SIDO_NAME',
      'p.district_name as SIGUNGU_NAME',
      'p.province_code as CTPRVN_CD',
      'p.x as X',
      'p.y as Y',
      'p.limit_day as MAX_KEY_NUM_DAY',
      'p.limit_week as MAX_KEY_NUM_WEEK',
      'p.limit_month as MAX_KEY_NUM_MONTH',
      'p.limit_total as TOTAL_KEY_NUM',
      sql<string>`coalesce(p.valid_from::text, '')`.as('EXPIRY_DATETIME_START'),
      // The last day counts to its end (spec §3).
      sql<string>`coalesce(p.valid_to::text || ' 23:59:59', '')`.as('EXPIRY_DATETIME_END'),
    ] as const
}

/** Partners with the names of their affiliations. */
export function partnersWithNames(db: Kysely<Database>) {
  return db
    .selectFrom('partners as p')
    .leftJoin('codes as b', (join) =>
      join.onRef('b.code', '=', 'p.affiliation_code').on('b.group_code', '=', CODE_GROUP.affiliation),
    )
}

/** A partner by its code; undefined when there is none. */
export async function findPartner(db: Kysely<Database>, code: string, language: Language) {
  const partner = await partnersWithNames(db)
    .where('p.code', '=', code)
    .select(partnerColumns(language))
    .select('p.memo as MEMO')
    .executeTakeFirst()
  return partner && { ...partner, VERSION: versionOfPartner(partner) }
}

/** VERSION of a partner, by what its form edits: in no language, and nothing that others count beside it. */
export function versionOfPartner(partner: {
  SIDO_NAME: string
  SIGUNGU_NAME: string
  MAX_KEY_NUM_DAY: number
  MAX_KEY_NUM_WEEK: number
  MAX_KEY_NUM_MONTH: number
  TOTAL_KEY_NUM: number
  EXPIRY_DATETIME_START: string
  EXPIRY_DATETIME_END: string
}): string {
  return versionOf([
    partner.SIDO_NAME,
    partner.SIGUNGU_NAME,
    partner.MAX_KEY_NUM_DAY,
    partner.MAX_KEY_NUM_WEEK,
    partner.MAX_KEY_NUM_MONTH,
    partner.TOTAL_KEY_NUM,
    partner.EXPIRY_DATETIME_START,
    partner.EXPIRY_DATETIME_END,
  ])
}

/** Whether a partner has this code. */
export async function isPartnerCode(db: Kysely<Database>, code: string): Promise<boolean> {
  const row = await db.selectFrom('partners').select('id').where('code', '=', code).executeTakeFirst()
  return row !== undefined
}
