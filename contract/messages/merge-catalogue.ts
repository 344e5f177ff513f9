/** The common property of both parts of a catalog: the titles of pages by their key. */
interface Titled {
  titles: object
}

/** Merges the two parts of a catalog, each with the titles of its pages. */
export function whole<First extends Titled, Portal extends Titled>(first: First, portal: Portal) {
  return { ...first, ...portal, titles: { ...first.titles, ...portal.titles } }
}
