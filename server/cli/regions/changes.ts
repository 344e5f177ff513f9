import type { District } from '../../db/seed/regions.ts'

/** Provinces and districts, as `readRegions` and `parseRegions` give them. */
export interface Regions {
  provinces: { code: string; name: string }[]
  districts: District[]
}

/** A difference between the current regions and a newer file. */
export interface RegionChange {
  kind: 'added' | 'gone' | 'renamed' | 'moved to another province' | 'moved coordinate'
  /** The province or district, with codes and names. For a changed entry, its old and its new value. */
  text: string
}

/** Thrown when a region file cannot be read; its message names the line, or the reason. */
export class RegionFileError extends Error {}

/** First line of a region file. */
const HEADER = 'ctprvn_cd,sido_name,sigungu_cd,sigungu_name,x,y'
/** Degrees within which a district of the same name with another code is the same one, about 3 km. */
const NEAR = 0.03

/**
 * Returns the text of a region file.
 * @throws {RegionFileError} if it is not UTF-8: spreadsheets and public offices often produce CP949
 */
export function decodeRegions(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new RegionFileError('it is not in UTF-8. Save it as "CSV UTF-8" and try again')
  }
}

/**
 * Parses the text of a region file: CSV with the columns of `HEADER`, without quotes, one district per line. Ignores empty lines.
 * @throws {RegionFileError} for a malformed line, a code or a name that comes twice, or invalid degrees
 */
export function parseRegions(text: string): Regions {
  const [header, ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (header?.trim() !== HEADER) throw new RegionFileError(`line 1: the columns must be ${HEADER}`)
  const provinces = new Map<string, string>()
  const districts: District[] = []
  const seen = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const at = `line ${index + 2}`
    const cells = line.split(',').map((cell) => cell.trim().normalize('NFC'))
    const [provinceCode = '', provinceName = '', code = '', name = '', x = '', y = ''] = cells
    if (cells.length !== 6 || cells.includes('')) throw new RegionFileError(`${at}: not six columns: ${line}`)
    if (line.includes('"')) throw new RegionFileError(`${at}: columns without quotes are expected: ${line}`)
    if (!/^\d{2}$/.test(provinceCode) || !/^\d{5}$/.test(code)) {
      throw new RegionFileError(`${at}: a province has a code of 2 digits, a district one of 5: ${line}`)
    }
    if (!isDegrees(x, 180) || !isDegrees(y, 90)) throw new RegionFileError(`${at}: no degrees: ${line}`)
    if ((provinces.get(provinceCode) ?? provinceName) !== provinceName) {
      throw new RegionFileError(`${at}: province ${provinceCode} has two names`)
    }
    for (const key of [code, `${provinceCode} ${name}`]) {
      if (seen.has(key)) throw new RegionFileError(`${at}: ${key} comes twice`)
      seen.add(key)
    }
    provinces.set(provinceCode, provinceName)
    districts.push({ code, provinceCode, name, x: Number(x), y: Number(y) })
  }
  return { provinces: [...provinces].map(([code, name]) => ({ code, name })), districts }
}

/** Returns whether a text is a number from -max to max. */
function isDegrees(text: string, max: number): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= max
}

/**
 * Returns the differences of a newer file from the current regions, provinces first. A district of the same name within about 3
 * km is the same district, even if its code differs.
 */
export function regionChanges(present: Regions, newer: Regions): RegionChange[] {
  return [...provinceChanges(present, newer), ...districtChanges(present, newer)]
}

/** Returns a line for each province that was added, renamed or removed, compared by code. */
function provinceChanges(present: Regions, newer: Regions): RegionChange[] {
  const [before, after] = [byCode(present.provinces), byCode(newer.provinces)]
  return [
    ...newer.provinces.flatMap(({ code, name }): RegionChange[] => {
      const old = before.get(code)
      if (old === undefined) return [{ kind: 'added', text: `province ${code} ${name}` }]
      if (old.name === name) return []
      return [{ kind: 'renamed', text: `province ${code} ${old.name} → ${name}` }]
    }),
    ...present.provinces
      .filter(({ code }) => !after.has(code))
      .map(({ code, name }): RegionChange => ({ kind: 'gone', text: `province ${code} ${name}` })),
  ]
}

/** Returns the districts that were added, removed, renamed or moved. */
function districtChanges(present: Regions, newer: Regions): RegionChange[] {
  const [before, after] = [byCode(present.districts), byCode(newer.districts)]
  const added = newer.districts.filter(({ code }) => !before.has(code))
  const gone = present.districts.filter(({ code }) => !after.has(code))
  const pairs: [District, District][] = newer.districts.flatMap((now) => {
    const old = before.get(now.code)
    return old === undefined ? [] : [[old, now]]
  })
  for (const now of newer.districts.filter(({ code }) => !before.has(code))) {
    // A code begins with that of its province. A district that changes its province, or whose province changes, gets another
    // code.
    const old = gone.find((each) => each.name === now.name && isNear(each, now))
    if (old === undefined) continue
    pairs.push([old, now])
    added.splice(added.indexOf(now), 1)
    gone.splice(gone.indexOf(old), 1)
  }
  const describe = (regions: Regions, { code, provinceCode, name }: District) =>
    `${code} ${byCode(regions.provinces).get(provinceCode)?.name ?? provinceCode} ${name}`
  return [
    ...added.map((district): RegionChange => ({ kind: 'added', text: describe(newer, district) })),
    ...gone.map((district): RegionChange => ({ kind: 'gone', text: describe(present, district) })),
    ...pairs.flatMap(([old, now]): RegionChange[] => {
      const changes: RegionChange[] = []
      if (old.provinceCode !== now.provinceCode) {
        const text = `${describe(present, old)} → ${describe(newer, now)}`
        changes.push({ kind: 'moved to another province', text })
      }
      if (old.name !== now.name) {
        changes.push({ kind: 'renamed', text: `${describe(present, old)} → ${now.name}` })
      }
      if (old.x !== now.x || old.y !== now.y) {
        const text = `${describe(newer, now)}: ${old.x}, ${old.y} → ${now.x}, ${now.y}`
        changes.push({ kind: 'moved coordinate', text })
      }
      return changes
    }),
  ]
}

/** Returns whether two districts are within NEAR of each other. */
function isNear(a: District, b: District): boolean {
  return Math.abs(a.x - b.x) <= NEAR && Math.abs(a.y - b.y) <= NEAR
}

/** Returns the provinces or districts by their codes. */
function byCode<R extends { code: string }>(rows: readonly R[]): Map<string, R> {
  return new Map(rows.map((row) => [row.code, row]))
}
