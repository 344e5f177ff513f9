import { describe, expect, test } from 'vitest'
import { readRegions } from '../../db/seed/regions.ts'
import { decodeRegions, parseRegions, regionChanges, type Regions } from './changes.ts'

const HEADER = 'ctprvn_cd,sido_name,sigungu_cd,sigungu_name,x,y'
const present = readRegions()
const csvOf = ({ provinces, districts }: Regions) =>
  [
    HEADER,
    ...districts.map(({ code, provinceCode, name, x, y }) =>
      [provinceCode, provinces.find((each) => each.code === provinceCode)?.name, code, name, x, y].join(','),
    ),
  ].join('\n')
const same = csvOf(present)
const changes = (csv: string) =>
  regionChanges(present, parseRegions(csv)).map(({ kind, text }) => `${kind}: ${text}`)

describe('a newer region file (rules/running#region-file)', () => {
  test('changes nothing for an identical region file, even with a BOM and CRLF', () => {
    expect(changes(same)).toEqual([])
    expect(changes(`\uFEFF${same.replaceAll('\n', '\r\n')}\r\n`)).toEqual([])
  })

  test('may add a district and remove one', () => {
    expect(changes(`${same}\n11,서울특별시,11999,새빛구,127,37.5`)).toEqual([
      'added: 11999 서울특별시 새빛구',
    ])
    expect(changes(same.replace(/\n11110,.*|\n11,서울특별시,11110,.*/, ''))).toEqual([
      'gone: 11110 서울특별시 종로구',
    ])
  })

  test('may rename a district and a province', () => {
    expect(changes(same.replace('종로구', '종로중앙구'))).toEqual([
      'renamed: 11110 서울특별시 종로구 → 종로중앙구',
    ])
    expect(changes(same.replaceAll('제주특별자치도', '제주도'))).toEqual([
      'renamed: province 50 제주특별자치도 → 제주도',
    ])
  })

  test('may move a district to another province, with its code or with a new one', () => {
    expect(changes(same.replace('47,경상북도,47290', '27,대구광역시,47290'))).toEqual([
      'moved to another province: 47290 경상북도 경산시 → 47290 대구광역시 경산시',
    ])
    expect(changes(same.replace('47,경상북도,47290', '27,대구광역시,27730'))).toEqual([
      'moved to another province: 47290 경상북도 경산시 → 27730 대구광역시 경산시',
    ])
  })

  test('may move a coordinate', () => {
    expect(changes(same.replace('126.9774,37.5949', '126.9784,37.5949'))).toEqual([
      'moved coordinate: 11110 서울특별시 종로구: 126.9774, 37.5949 → 126.9784, 37.5949',
    ])
  })

  test('may merge two provinces: their districts move and the old ones are gone', () => {
    const merged = same.replaceAll('30,대전광역시,30', '36,세종특별자치시,39')
    const found = changes(merged)
    expect(found.filter((line) => line.startsWith('moved to another province'))).toHaveLength(5)
    expect(found).toContain('gone: province 30 대전광역시')
    expect(found).toHaveLength(6)
  })

  test('refuses an encoding other than UTF-8 instead of changing every name', () => {
    // 서울 in CP949.
    expect(() => decodeRegions(Uint8Array.of(0xbc, 0xad, 0xbf, 0xef))).toThrow('it is not in UTF-8')
    expect(decodeRegions(new TextEncoder().encode(same))).toBe(same)
  })

  test.each([
    ['another header', 'code,name\n', 'line 1: the columns must be'],
    ['a line cut off', `${HEADER}\n11,서울특별시,11110,종로구,126.9`, 'line 2: not six columns'],
    ['degrees that are not numbers', `${HEADER}\n11,서울특별시,11110,종로구,east,37`, 'line 2: no degrees'],
    ['quotes', `${HEADER}\n"11","서울특별시","11110","종로구","127","37"`, 'line 2: columns without quotes'],
    ['an invalid code', `${HEADER}\n11,서울특별시,1111,종로구,127,37`, 'line 2: a province has a code of 2'],
    ['a code twice', `${HEADER}\n11,가,11110,나,1,1\n11,가,11110,다,1,1`, 'line 3: 11110 comes twice'],
    ['a name twice', `${HEADER}\n11,가,11110,나,1,1\n11,가,11111,나,1,1`, 'line 3: 11 나 comes twice'],
    [
      'a province of two names',
      `${HEADER}\n11,가,11110,나,1,1\n11,다,11111,라,1,1`,
      'line 3: province 11 has two',
    ],
  ])('refuses a file with %s, with the number of the line', (_, csv, message) => {
    expect(() => parseRegions(csv)).toThrow(message)
  })
})
