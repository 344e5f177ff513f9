import { refuse } from '../../../contract/errors.ts'
import type { Messages } from '../../../contract/messages/ko.ts'
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

/** Reason why names of a file are no region: the wrong field, and the names that it may mean. */
interface RegionFault {
  field: keyof RegionNames
  choices: readonly string[]
}

/**
 * Reads all regions with one query.
 * @returns a function that returns a region in the form that a partner's record stores, or what is wrong. It accepts every name that
 * means one region only, such as 서울, 광주광역시 or 권선구 (rules/partners#region-names).
 */
export async function findPlaces(db: Db) {
  const rows = await db
    .selectFrom('provinces as p')
    .innerJoin('districts as d', 'd.provinceCode', 'p.code')
    .select(['p.code as provinceCode', 'p.name as provinceName', 'd.name as districtName', 'd.x', 'd.y'])
    .orderBy('d.name')
    .execute()
  const regions = Map.groupBy(rows, ({ provinceName }) => provinceName)
  return (names: RegionNames): (typeof rows)[number] | RegionFault => {
    const provinces = meanings([...regions.keys()], names.provinceName)
    const inside = regions.get(provinces[0] ?? '') ?? []
    if (provinces.length !== 1) return { field: 'provinceName', choices: provinces }
    const districts = meanings(
      inside.map(({ districtName }) => districtName),
      names.districtName,
    )
    const region = inside.find(({ districtName }) => districtName === districts[0])
    return districts.length !== 1 || region === undefined
      ? { field: 'districtName', choices: districts }
      : region
  }
}

/** Returns the error text of a row whose region is wrong. It names the regions that the row may mean. */
export const regionFault = ({ choices }: RegionFault, { errors, imports }: Messages): string =>
  choices.length === 0 ? errors.REGION_NOT_FOUND : imports.regionChoices(choices.join(', '))

/** Returns the names that a text may mean: the same one, or else all with the same short form. */
function meanings(names: readonly string[], text: string): readonly string[] {
  const wanted = text.replaceAll(/\s/g, '')
  const same = names.filter((name) => name.replaceAll(' ', '') === wanted)
  if (wanted === '' || same.length > 0) return same
  return names.filter((name) => {
    const forms = shortForms(name)
    return forms.includes(wanted) || forms.includes(shortOf(wanted))
  })
}

/** Returns a name without its kind: 경상남도 is 경남, 수원시 is 수원. */
const shortOf = (name: string): string =>
  name
    .replace(/(?:특별자치[시도]|통합특별시|특별시|광역시|[시도군구])$/, '')
    .replace(/^(.).([남북])$/, '$1$2')

/** Returns the short forms of a name: of all of it, of its words, and of both halves of one that unites two (전남광주통합특별시). */
function shortForms(name: string): string[] {
  const words = name.split(' ').map(shortOf)
  const halves = words.flatMap((word) => (word.length === 4 ? [word.slice(0, 2), word.slice(2)] : []))
  return [words.join(''), shortOf(name.replaceAll(' ', '')), ...words, ...halves]
}

/**
 * Returns a region by its exact names, in the form that a partner's record stores. The caller never sets its code or coordinates
 * (rules/partners#regions).
 * @throws {Refusal} REGION_NOT_FOUND if there is no such province, or no such district in it
 */
export async function findRegion(db: Db, { provinceName, districtName }: RegionNames) {
  const names = { provinceName: provinceName.trim(), districtName: districtName.trim() }
  const region = (await findPlaces(db))(names)
  if (
    'field' in region ||
    region.provinceName !== names.provinceName ||
    region.districtName !== names.districtName
  )
    return refuse('REGION_NOT_FOUND')
  return region
}
