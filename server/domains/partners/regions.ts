import type { Kysely } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { anyOf } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** The provinces in force, in the order of their codes (rules/partners#regions). */
export async function findProvinces(db: Kysely<Database>) {
  return db
    .selectFrom('provinces')
    .select(['name as provinceName', 'code as provinceCode'])
    .orderBy('code')
    .execute()
}

/** The districts of a province in the order of the alphabet; none of a province that no longer exists. */
export async function findDistricts(db: Kysely<Database>, provinceCode: string) {
  return db
    .selectFrom('districts')
    .select(['name as districtName', 'x as longitude', 'y as latitude'])
    .where('province_code', '=', provinceCode)
    .orderBy('name')
    .execute()
}

/** A region by its names. */
export interface RegionNames {
  provinceName: string
  districtName: string
}

/**
 * Looks places up, asked once for all of them.
 * @returns what finds each: the region as a partner's record keeps it, or which of its two names is wrong
 */
export async function findPlaces(db: Kysely<Database>, named: readonly RegionNames[]) {
  const districts = named.map(({ districtName }) => districtName.trim())
  const rows = await db
    .selectFrom('provinces as p')
    .leftJoin('districts as d', (join) =>
      join.onRef('d.province_code', '=', 'p.code').on('d.name', '=', anyOf(districts)),
    )
    .select(['p.code as province_code', 'p.name as province_name', 'd.name as district_name', 'd.x', 'd.y'])
    .execute()
  const found = rows.flatMap(({ district_name, x, y, ...province }) =>
    district_name === null || x === null || y === null ? [] : [{ ...province, district_name, x, y }],
  )
  const provinces = new Set(rows.map(({ province_name }) => province_name))
  const regions = new Map(found.map((region) => [keyOf(region.province_name, region.district_name), region]))
  return ({ provinceName, districtName }: RegionNames) => {
    const [province, district] = [provinceName.trim(), districtName.trim()]
    return (
      regions.get(keyOf(province, district)) ?? (provinces.has(province) ? 'districtName' : 'provinceName')
    )
  }
}

/** What a region is found by in a map: no name has a line in it. */
const keyOf = (province: string, district: string) => `${province}\n${district}`

/**
 * A region as a partner's record keeps it, by its names: code and degrees are never the caller's
 * (rules/partners#regions).
 * @throws {Refusal} REGION_NOT_FOUND when there is no such district in such a province
 */
export async function findRegion(db: Kysely<Database>, names: RegionNames) {
  const region = (await findPlaces(db, [names]))(names)
  return typeof region === 'string' ? refuse('REGION_NOT_FOUND') : region
}
