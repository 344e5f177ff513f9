import { FUNCTIONS } from '../../../contract/permissions.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { auditTexts, type Telling } from './telling.ts'

/** What changed, in words. */
export interface Change {
  item: string
  before: string
  after: string
}

type Split = (before: unknown, after: unknown, telling: Telling) => Change[] | undefined

/** Items of many parts, of which only what differs is told; undefined where the item is told as a whole. */
export const PARTS: Record<string, Split> = {
  functions: functionsOf,
  offices: officesOf,
  logo: logoOf,
  order,
}

/** What a role was granted or lost, function by function. */
function functionsOf(before: unknown, after: unknown, { language }: Telling): Change[] | undefined {
  if (!isTexts(before) || !isTexts(after)) return undefined
  const { denied, allowed } = auditTexts[language]
  return FUNCTIONS.filter((name) => before.includes(name) !== after.includes(name)).map((name) => ({
    item: catalogues[language].roles.functions[name][0],
    before: before.includes(name) ? allowed : denied,
    after: after.includes(name) ? allowed : denied,
  }))
}

/** Offices by their names, each with what is said of it, and another order of those that stay. */
function officesOf(before: unknown, after: unknown, { language }: Telling): Change[] {
  const t = auditTexts[language]
  const [was, is] = [officesIn(before), officesIn(after)]
  const changes = [...new Set([...was.keys(), ...is.keys()])]
    .filter((name) => was.get(name) !== is.get(name))
    .map((name) => ({ item: t.office(name), before: was.get(name) ?? '', after: is.get(name) ?? '' }))
  const first = [...was.keys()].filter((name) => is.has(name)).join(', ')
  const second = [...is.keys()].filter((name) => was.has(name)).join(', ')
  return first === second ? changes : [...changes, { item: t.items.order, before: first, after: second }]
}

/** What is said of each office, by its name; of two of one name both. */
function officesIn(json: unknown): Map<string, string> {
  const offices: Record<string, string>[] = typeof json === 'string' && json !== '' ? JSON.parse(json) : []
  const told = new Map<string, string>()
  for (const { name = '', address, phone, fax, nameEn, addressEn } of offices) {
    const text = [address, phone, fax, nameEn, addressEn].filter(Boolean).join(' · ')
    told.set(name, told.has(name) ? `${told.get(name)} / ${text}` : text)
  }
  return told
}

/** The image itself is not kept: that there was one, and that there is another. */
function logoOf(before: unknown, after: unknown, { language }: Telling): Change[] {
  const t = auditTexts[language]
  return [
    {
      item: t.items.logo,
      before: before === '' ? '' : t.earlierImage,
      after: after === '' ? '' : t.newImage,
    },
  ]
}

/** Affiliations in another order: from the first to the last that moved. */
function order(before: unknown, after: unknown, { language, names }: Telling): Change[] | undefined {
  if (!isTexts(before) || !isTexts(after)) return undefined
  const moved = (code: string, place: number) => code !== before[place]
  const from = after.findIndex(moved)
  const to = after.findLastIndex(moved) + 1
  const told = (codes: readonly string[]) =>
    listed(
      codes.slice(from, to).map((code) => names.codes?.[code] ?? code),
      language,
    )
  return from < 0
    ? []
    : [{ item: auditTexts[language].items.order, before: told(before), after: told(after) }]
}

/** The most entries of a list that a row tells. */
export const LISTED = 20

/** A list in words, and how many more there are. */
export function listed(texts: readonly string[], language: Telling['language']): string {
  const rest = texts.length - LISTED
  const others = rest > 0 ? [auditTexts[language].others(rest)] : []
  return [...texts.slice(0, LISTED), ...others].filter(Boolean).join(', ')
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
