/** The languages of the product; the first is the default (rules/frame#languages). */
export const LANGUAGES = ['ko', 'en'] as const

/** A language of the product. */
export type Language = (typeof LANGUAGES)[number]

/** A text, or another value, in every language. */
export type ByLanguage<T = string> = Record<Language, T>

/**
 * Returns the language of a request: Korean unless Accept-Language prefers English (rules/frame#languages).
 * @param header the unchanged header, q-values included
 */
export function preferredLanguage(header: string | undefined): Language {
  const ranked = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.map((p) => /^\s*q=([0-9.]+)\s*$/.exec(p)?.[1]).find(Boolean)
      return { language: tag.split('-')[0], weight: q === undefined ? 1 : Number(q) }
    })
    .filter((entry) => entry.weight > 0 && (entry.language === 'ko' || entry.language === 'en'))
    .toSorted((a, b) => b.weight - a.weight)
  return ranked[0]?.language === 'en' ? 'en' : 'ko'
}
