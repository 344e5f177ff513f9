/**
 * Query parameters of the product's URLs: plain words that users can read (rules/lists#list-address) (`?noticeId=12&user_id=kim`).
 * The router's default would quote numbers and guess types.
 */

/** Parses the query parameters of a URL. Values stay text, and the last one of a name wins. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/**
 * Converts query parameters to the end of a URL, with the `?`. Drops values that are not text; returns '' if
 * none is left.
 */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const text = new URLSearchParams(given).toString()
  return text === '' ? '' : `?${text}`
}

/** Creates a route's `validateSearch`: it keeps text values of these parameters and drops everything else. */
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
