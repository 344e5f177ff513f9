import { refuse } from '../../../contract/errors.ts'
import { anyOf } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'

/** Returns the current provinces, in the order of their codes (rules/partners#regions). */
export async function findProvinces(db: Db) {
  return db
    .selectFrom('provinces')
    .select(['name as provinceName', 'code as provinceCode'])
    .orderBy('code')
    .execute()
}

/** Returns the districts of a province in alphabetical order; none if the province no longer exists. */
export async function findDistricts(db: Db, provinceCode: string) {
  return db
    .selectFrom('districts')
    .select(['name as districtName', 'x as longitude', 'y as latitude'])
    .where('provinceCode', '=', provinceCode)
    .orderBy('name')
    .execute()
}

/** Region by the names of its province and district. */
export interface RegionNames {
  provinceName: string
  districtName: string
}

/**
 * Reads the current regions of these names with one query. Ignores spaces around the names.
 * @returns a function that returns a region in the form that a partner's record stores. If there is no such province or
 * district, it returns the name of the field that is wrong.
 */
export async function findPlaces(db: Db, named: readonly RegionNames[]) {
  const districts = named.map(({ districtName }) => districtName.trim())
  const rows = await db
    .selectFrom('provinces as p')
    .leftJoin('districts as d', (join) =>
      join.onRef('d.provinceCode', '=', 'p.code').on('d.name', '=', anyOf(districts)),
    )
    .select(['p.code as provinceCode', 'p.name as provinceName', 'd.name as districtName', 'd.x', 'd.y'])
    .execute()
  const found = rows.flatMap(({ districtName, x, y, ...province }) =>
    districtName === null || x === null || y === null ? [] : [{ ...province, districtName, x, y }],
  )
  const provinces = new Set(rows.map(({ provinceName }) => provinceName))
  const regions = new Map(found.map((region) => [keyOf(region.provinceName, region.districtName), region]))
  return ({ provinceName, districtName }: RegionNames) => {
    const [province, district] = [provinceName.trim(), districtName.trim()]
    return (
      regions.get(keyOf(province, district)) ?? (provinces.has(province) ? 'districtName' : 'provinceName')
    )
  }
}

/** Returns the key of a region in a map. Names contain no line break. */
const keyOf = (province: string, district: string) => `${province}\n${district}`

/**
 * Returns a current region by its names, with codes and coordinates, in the form that a partner's record stores. The
 * caller never sets these (rules/partners#regions).
 * @throws {Refusal} REGION_NOT_FOUND if there is no such province, or no such district in it
 */
export async function findRegion(db: Db, names: RegionNames) {
  const region = (await findPlaces(db, [names]))(names)
  return typeof region === 'string' ? refuse('REGION_NOT_FOUND') : region
}
