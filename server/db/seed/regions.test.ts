import { expect, test } from 'vitest'
import { regionName } from '../../../contract/messages/en/regions.ts'
import { readRegions } from './regions.ts'

// The regions in force since July 2026 (rules/partners#regions).
const { provinces, districts } = readRegions()

test('has 16 provinces and 256 districts without repeats', () => {
  expect(provinces).toHaveLength(16)
  expect(districts).toHaveLength(256)
  expect(new Set(provinces.map((province) => province.code)).size).toBe(16)
  expect(new Set(provinces.map((province) => province.name)).size).toBe(16)
  expect(new Set(districts.map((district) => district.code)).size).toBe(256)
  expect(new Set(districts.map((district) => `${district.provinceCode} ${district.name}`)).size).toBe(256)
})

test('has codes in the official form, and every district in a province', () => {
  for (const province of provinces) {
    expect(province.code).toMatch(/^\d{2}$/)
    expect(districts.some((district) => district.provinceCode === province.code)).toBe(true)
  }
  for (const district of districts) {
    expect(district.code).toMatch(/^\d{5}$/)
    expect(provinces.map((province) => province.code)).toContain(district.provinceCode)
  }
})

test('has 광주 and 전남 as one province with the code 12', () => {
  expect(provinces.find((province) => province.code === '12')?.name).toMatch(/전남.*광주|광주.*전남/)
  expect(provinces.filter((province) => /광주|전남|전라남도/.test(province.name))).toHaveLength(1)
})

test('names are Korean, trimmed and composed', () => {
  for (const { name } of [...provinces, ...districts]) {
    expect(name).toMatch(/^[가-힣]+( [가-힣]+)*$/)
    expect(name).toBe(name.normalize('NFC'))
  }
})

test('has every district within Korea', () => {
  for (const { name, x, y } of districts) {
    expect(x, name).toBeGreaterThan(124.5)
    expect(x, name).toBeLessThan(132)
    expect(y, name).toBeGreaterThan(33)
    expect(y, name).toBeLessThan(38.7)
  }
})

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

test('has no district far from its province, as a wrong coordinate would place it', () => {
  for (const province of provinces) {
    const own = districts.filter((district) => district.provinceCode === province.code)
    const [x, y] = [middle(own.map((district) => district.x)), middle(own.map((district) => district.y))]
    for (const district of own) {
      // 울릉군 and 옹진군 are islands far out: 4 degrees of longitude from the mainland at most.
      expect(Math.abs(district.x - x), `${province.name} ${district.name}`).toBeLessThan(4)
      expect(Math.abs(district.y - y), `${province.name} ${district.name}`).toBeLessThan(1.5)
    }
  }
})

test('has a name in Roman letters for every region, as English screens show it (rules/partners#regions)', () => {
  for (const { name } of [...provinces, ...districts])
    expect(regionName(name), name).toMatch(/^[A-Z][a-zA-Z -]+$/)
  expect(
    ['서울특별시', '경기도', '강원특별자치도', '전남광주통합특별시', '종로구', '수원시 장안구', '담양군'].map(
      regionName,
    ),
  ).toEqual([
    'Seoul',
    'Gyeonggi-do',
    'Gangwon-do',
    'Jeonnam-Gwangju',
    'Jongno-gu',
    'Suwon-si Jangan-gu',
    'Damyang-gun',
  ])
  // On a record that was written before a reform; what nobody knows stays.
  expect(regionName('전라남도 나주시')).toBe('Jeollanam-do Naju-si')
  expect(regionName('새로운군')).toBe('새로운군')
})
