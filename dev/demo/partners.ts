import { CODE_GROUP } from '../../contract/common.ts'
import { PARTNER_TYPE } from '../../contract/partners.ts'
import { codes } from '../../server/db/seed/codes.ts'
import { readRegions } from '../../server/db/seed/regions.ts'
import { calendarDay, daysAfter, yearsBefore } from './days.ts'
import type { Random } from './random.ts'

/** A partner of the demo data. */
export interface DemoPartner {
  code: string
  type: 'fa' | 'pa'
  affiliationCode: string
  provinceCode: string
  provinceName: string
  districtName: string
  /** Longitude in degrees (WGS84). */
  x: number
  /** Latitude in degrees (WGS84). */
  y: number
  limits: Limits
  validFrom: string | null
  validTo: string | null
  memo: string | null
  createdAt: Date
}

/** Limits of issued keys; null means unlimited. */
export interface Limits {
  day: number | null
  week: number | null
  month: number | null
  total: number | null
}

/** Codes of all affiliations, in the order of the seed. */
export const AFFILIATIONS = codes
  .filter(([group]) => group === CODE_GROUP.affiliation)
  .map(([, code]) => code)

/** First parts of partner codes. */
const COMPANIES =
  'HANBIT DAESUNG MIRAE SEJIN HANSOL TAEYANG DONGBANG NARA GAON SAMWOO WOORIM CHEONGMYUNG HAEDONG NURI SEOJIN BAEKDU HANGANG JEIL DASAN YULGOK'.split(
    ' ',
  )
/** Last parts of partner codes. */
const BUSINESSES = 'ENG SOFT TECH GIS SYSTEM CONST SURVEY LAB'.split(' ')

/** Limits of partners, with weights. The last one has no key left from the start. */
const LIMITS: readonly (readonly [limits: Limits, weight: number])[] = [
  [{ day: null, week: null, month: null, total: null }, 3],
  [{ day: 10, week: 40, month: 120, total: 1000 }, 3],
  [{ day: 5, week: 20, month: 60, total: 500 }, 3],
  [{ day: 3, week: 10, month: 30, total: null }, 2],
  [{ day: null, week: null, month: 50, total: 300 }, 2],
  [{ day: 1, week: 3, month: 10, total: 50 }, 1],
  [{ day: 0, week: 0, month: 0, total: 0 }, 0.2],
]

/** Limits and validity of the first partner: users of the demo accounts can always issue keys. */
const DEMO_TERMS = {
  limits: { day: 10, week: 40, month: 120, total: null },
  validFrom: null,
  validTo: null,
} satisfies Partial<DemoPartner>

/** Memos of partners. */
const MEMOS = [
  '분기마다 사용 현황을 확인하고 한도를 조정합니다.',
  '계약 갱신 협의 중입니다. 담당자에게 먼저 연락해주세요.',
  '시범 사업 기간 동안 한도를 늘려 운영합니다.',
  '현장 단말 교체로 재발급 요청이 많습니다.',
]

/**
 * Creates `count` partners in memory, at most 160. The first ones cover all affiliations and provinces, if `count`
 * allows. The first one is that of the demo accounts, in the head office.
 */
export function makePartners(random: Random, now: Date, count: number): DemoPartner[] {
  const { provinces, districts } = readRegions()
  const names = random
    .shuffle(COMPANIES.flatMap((company) => BUSINESSES.map((business) => `${company}-${business}`)))
    .slice(0, count)
  // Capital region first, as companies are; but only after every province has had its turn.
  const crowded = provinces.map(
    (province) => [province, ['11', '41', '28'].includes(province.code) ? 6 : 1] as const,
  )
  return names.map((name, index) => {
    const province = provinces[index] ?? random.weighted(crowded)
    const district = random.pick(districts.filter((each) => each.provinceCode === province.code))
    const affiliationCode = AFFILIATIONS[index % AFFILIATIONS.length] ?? random.pick(AFFILIATIONS)
    const createdAt = random.moment(yearsBefore(now, 3), daysAfter(now, -200))
    return {
      code: random.chance(0.2)
        ? name.replace('-', '_')
        : `${name}-${String(random.int(1, 99)).padStart(2, '0')}`,
      type: affiliationCode === 'BEL007' || random.chance(0.25) ? PARTNER_TYPE.family : PARTNER_TYPE.partner,
      affiliationCode,
      provinceCode: province.code,
      provinceName: province.name,
      districtName: district.name,
      x: district.x,
      y: district.y,
      limits: random.weighted(LIMITS),
      ...validity(random, now, createdAt),
      ...(index === 0 && DEMO_TERMS),
      memo: random.chance(0.3) ? random.pick(MEMOS) : null,
      createdAt,
    }
  })
}

/** Returns the validity of a partner. Some have no dates (rules/partners#partner-validity), and some have expired. */
function validity(
  random: Random,
  now: Date,
  createdAt: Date,
): { validFrom: string | null; validTo: string | null } {
  const validFrom = calendarDay(createdAt)
  if (random.chance(0.15)) return { validFrom: null, validTo: null }
  if (random.chance(0.12)) return { validFrom, validTo: calendarDay(daysAfter(now, -random.int(10, 150))) }
  if (random.chance(0.1)) return { validFrom, validTo: null }
  return { validFrom, validTo: calendarDay(daysAfter(now, random.int(30, 900))) }
}
