/** What both parts of a catalogue have: titles of pages by their key. */
interface Titled {
  titles: object
}

/** A catalogue of its two parts, each with the titles of its pages. */
export function whole<First extends Titled, Portal extends Titled>(first: First, portal: Portal) {
  return { ...first, ...portal, titles: { ...first.titles, ...portal.titles } }
}
