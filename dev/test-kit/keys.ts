import type { OpenDatabase } from '../../server/db/open.ts'
import type { NewUser, People, TestUser } from './people.ts'

/** Limits (null: none), validity and location of a partner; by default no limits, always valid and in 종로구. */
export interface PartnerSettings {
  limits?: { day?: number; week?: number; month?: number; total?: number }
  validFrom?: string
  validTo?: string
  affiliation?: string
  province?: string
  district?: string
}

/** Functions that create partners and users: those of a test's Maru, or of a benchmark's database. */
type Maker = People & { database: Pick<OpenDatabase, 'pool'> }

/**
 * Creates a partner with these settings.
 * @returns its partners.id and code
 */
export async function partnerWith(
  maru: Maker,
  settings: PartnerSettings = {},
): Promise<{ id: string; code: string }> {
  const { limits = {}, affiliation = 'BEL001', province = '서울특별시', district = '종로구' } = settings
  const code = await maru.createPartner({ affiliation })
  const { rows } = await maru.database.pool.query<{ id: string }>(
    `update partners set limit_day = $2, limit_week = $3, limit_month = $4, limit_total = $5, valid_from = $6,
       valid_to = $7, province_name = $8, district_name = $9 where code = $1 returning id`,
    [
      code,
      limits.day ?? null,
      limits.week ?? null,
      limits.month ?? null,
      limits.total ?? null,
      settings.validFrom ?? null,
      settings.validTo ?? null,
      province,
      district,
    ],
  )
  return { id: rows[0]?.id ?? '', code }
}

/**
 * Creates a user of a partner, who may request keys, and returns the user with a session. The user's affiliation stays
 * that of `user`, BEL001 by default.
 */
export async function holderOf(maru: Maker, partner: { id: string }, user: NewUser = {}): Promise<TestUser> {
  const holder = await maru.createUser({ role: 'user', ...user })
  await maru.database.pool.query('update users set partner_id = $2 where id = $1', [holder.id, partner.id])
  return holder
}
