import { FUNCTIONS } from '../../../contract/permissions.ts'
import { catalogues } from '../../../contract/messages/index.ts'
import { auditTexts, customFieldTexts, type RenderContext } from './render-context.ts'

/** A rendered change of one item. */
export interface Change {
  item: string
  before: string
  after: string
}

/** Renders the changes of an item; undefined to render its values as a whole. */
type RenderChanges = (before: unknown, after: unknown, context: RenderContext) => Change[] | undefined

/**
 * Renderers of items that are lists or images, by the name of the item: they return only the elements that differ, or
 * undefined to render the item as a whole.
 */
export const CHANGE_RENDERERS: Record<string, RenderChanges> = {
  functions: renderFunctions,
  offices: (before, after, context) =>
    renderNamed(before, after, context, auditTexts[context.language].office),
  customFields: (before, after, context) =>
    renderNamed(before, after, context, auditTexts[context.language].customField),
  customValues: renderValues,
  logo: renderLogo,
  order: renderOrder,
}

/**
 * Renders the permissions that were granted to a role or revoked, one change for each.
 * @returns undefined if a value is not a list of texts
 */
function renderFunctions(before: unknown, after: unknown, { language }: RenderContext): Change[] | undefined {
  if (!isTexts(before) || !isTexts(after)) return undefined
  const { denied, allowed } = auditTexts[language]
  return FUNCTIONS.filter((name) => before.includes(name) !== after.includes(name)).map((name) => ({
    item: catalogues[language].roles.functions[name][0],
    before: before.includes(name) ? allowed : denied,
    after: after.includes(name) ? allowed : denied,
  }))
}

/** Renders changed values of the fields that the company defines. The row has the names that they had. */
function renderValues(before: unknown, after: unknown): Change[] {
  const [was, is] = [before, after].map((values) => new Map(Object.entries(values as Record<string, string>)))
  return [...(is?.keys() ?? [])].map((item) => ({
    item,
    before: was?.get(item) ?? '',
    after: is?.get(item) ?? '',
  }))
}

/**
 * Renders the parts of a list that were added, removed or changed, one change for each, and a changed order of those
 * that stay.
 * @param itemOf returns the text that names a part as the changed item
 */
function renderNamed(
  before: unknown,
  after: unknown,
  { language }: RenderContext,
  itemOf: (name: string) => string,
): Change[] {
  const t = auditTexts[language]
  const [was, is] = [textsByName(before, language), textsByName(after, language)]
  const changes = [...new Set([...was.keys(), ...is.keys()])]
    .filter((name) => was.get(name) !== is.get(name))
    .map((name) => ({ item: itemOf(name), before: was.get(name) ?? '', after: is.get(name) ?? '' }))
  const first = [...was.keys()].filter((name) => is.has(name)).join(', ')
  const second = [...is.keys()].filter((name) => was.has(name)).join(', ')
  return first === second ? changes : [...changes, { item: t.items.order, before: first, after: second }]
}

/**
 * Returns the values of each element of a list in an audit row, as one text per element, by its name. Joins the texts
 * of elements with the same name with ' / '.
 * @param json the list; anything but a non-empty text gives no elements
 */
function textsByName(json: unknown, language: RenderContext['language']): Map<string, string> {
  const { kinds, seenByWords, editedByWords } = customFieldTexts[language]
  const words: Record<string, Record<string, string>> = {
    kind: kinds,
    seenBy: seenByWords,
    editedBy: editedByWords,
  }
  const parts: Record<string, string | string[]>[] =
    typeof json === 'string' && json !== '' ? JSON.parse(json) : []
  const texts = new Map<string, string>()
  for (const { name: of = '', slot: _slot, ...rest } of parts) {
    const name = String(of)
    const text = Object.entries(rest)
      .flatMap(([key, value]) => [value].flat().map((one) => words[key]?.[one] ?? one))
      .filter(Boolean)
      .join(' · ')
    texts.set(name, texts.has(name) ? `${texts.get(name)} / ${text}` : text)
  }
  return texts
}

/** Renders whether there was a logo before and after. The log does not store images. */
function renderLogo(before: unknown, after: unknown, { language }: RenderContext): Change[] {
  const t = auditTexts[language]
  return [
    {
      item: t.items.logo,
      before: before === '' ? '' : t.earlierImage,
      after: after === '' ? '' : t.newImage,
    },
  ]
}

/**
 * Renders a changed order of affiliations as one change: their names before and after, from the first to the last that
 * moved.
 * @returns undefined if a value is not a list of texts
 */
function renderOrder(
  before: unknown,
  after: unknown,
  { language, names }: RenderContext,
): Change[] | undefined {
  if (!isTexts(before) || !isTexts(after)) return undefined
  const moved = (code: string, place: number) => code !== before[place]
  const from = after.findIndex(moved)
  const to = after.findLastIndex(moved) + 1
  const render = (codes: readonly string[]) =>
    joinNames(
      codes.slice(from, to).map((code) => names.codes?.[code] ?? code),
      language,
    )
  return from < 0
    ? []
    : [{ item: auditTexts[language].items.order, before: render(before), after: render(after) }]
}

/** Maximum number of entries of a list that a row shows. */
export const MAX_LISTED = 20

/** Joins the first MAX_LISTED names, and states how many more there are. */
export function joinNames(texts: readonly string[], language: RenderContext['language']): string {
  const rest = texts.length - MAX_LISTED
  const others = rest > 0 ? [auditTexts[language].others(rest)] : []
  return [...texts.slice(0, MAX_LISTED), ...others].filter(Boolean).join(', ')
}

/** Returns whether a value is a list of texts. */
function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
