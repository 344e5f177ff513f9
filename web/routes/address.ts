/**
 * How the product writes the search part of an address: plain words, as people read them (rules/lists#list-address)
 * (`?noticeId=12&user_id=kim`), where the router would put quotes around numbers and guess types.
 */

/** The words of an address. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Writes words into an address; what is no text is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const text = new URLSearchParams(given).toString()
  return text === '' ? '' : `?${text}`
}

/** A route's `validateSearch` that takes these words and drops whatever else stands there. */
export function words<const K extends string>(...names: K[]) {
  return (search: Record<string, unknown>): Partial<Record<K, string>> => {
    const found: Partial<Record<K, string>> = {}
    for (const name of names) {
      const word = search[name]
      if (typeof word === 'string') found[name] = word
    }
    return found
  }
}
