import { readFileSync } from 'node:fs'

/** District with its WGS84 coordinates in degrees: x = longitude, y = latitude. */
export interface District {
  code: string
  provinceCode: string
  name: string
  x: number
  y: number
}

/** Reads the file regions.tsv with the current provinces and districts (rules/partners#regions). */
export function readRegions(): { provinces: { code: string; name: string }[]; districts: District[] } {
  const provinces: { code: string; name: string }[] = []
  const districts: District[] = []
  for (const row of readFileSync(new URL('regions.tsv', import.meta.url), 'utf8').split('\n')) {
    if (row === '' || row.startsWith('#')) continue
    const [indent = '', code = '', name = '', x, y] = row.startsWith('\t')
      ? row.split('\t')
      : ['province', ...row.split('\t')]
    if (indent === 'province') provinces.push({ code, name })
    else
      districts.push({ code, provinceCode: provinces.at(-1)?.code ?? '', name, x: Number(x), y: Number(y) })
  }
  return { provinces, districts }
}
