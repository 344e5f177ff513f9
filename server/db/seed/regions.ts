import { readFileSync } from 'node:fs'

/** District (시군구) with its WGS84 coordinates in degrees: x = longitude, y = latitude. */
export interface District {
  code: string
  provinceCode: string
  name: string
  x: number
  y: number
}

/** Reads the provinces and districts from the file regions.tsv beside this one (rules/partners#regions). */
export function readRegions(): { provinces: { code: string; name: string }[]; districts: District[] } {
  const provinces: { code: string; name: string }[] = []
  const districts: District[] = []
  for (const row of readFileSync(new URL('regions.tsv', import.meta.url), 'utf8').split('\n')) {
    if (row === '' || row.startsWith('#')) continue
    const [code = '', name = '', x, y] = row.trimStart().split('\t')
    // The districts of a province follow it, indented.
    const provinceCode = provinces.at(-1)?.code ?? ''
    if (row.startsWith('\t')) districts.push({ code, provinceCode, name, x: Number(x), y: Number(y) })
    else provinces.push({ code, name })
  }
  return { provinces, districts }
}
