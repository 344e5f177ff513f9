import { DOMParser, Fragment, type ParseOptions, Slice } from 'prosemirror-model'
import { nodeType, schema } from './schema.ts'

/** Number of cells above which a pasted table becomes lines of text, because it would make typing slow. */
const MAX_CELLS = 2_000

/**
 * Number of levels of pasted quotes and lists above which a block becomes a paragraph, because Markdown leaves out
 * what is too deep.
 */
const MAX_DEPTH = 20

/**
 * Parser of pasted HTML. It creates only what the schema lists, after it has adapted the HTML of Word, Excel and 한글 to
 * it.
 */
class PasteParser extends DOMParser {
  override parseSlice(dom: HTMLElement, options?: ParseOptions): Slice {
    cleanPasted(dom)
    return super.parseSlice(dom, options)
  }
}

/** Instance of the parser of pasted HTML (rules/notices#pasting). */
export const pasteParser = new PasteParser(schema, DOMParser.fromSchema(schema).rules)

/**
 * Returns HTML whose style and event attributes are renamed to `data-…`, without style elements. The content security
 * policy reports them, even in a document that is never shown.
 */
export const withoutStyles = (html: string): string =>
  html
    // Neither expression reads past the next tag: otherwise unfinished tags would take quadratic time.
    .replaceAll(/<style[\s>](?:(?!<style)[^])*?<\/style\s*>/gi, '')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/\s(style|on\w+)\s*=/gi, ' data-$1='))

/**
 * Changes pasted HTML in place so that the schema can read it: emphasis, lists of Word, tables, too deep blocks,
 * non-breaking blanks and empty paragraphs.
 */
function cleanPasted(root: HTMLElement): void {
  const all = (selector: string) => root.querySelectorAll<HTMLElement>(selector)
  const doc = root.ownerDocument
  const walker = doc.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null)
    walker.currentNode.nodeValue = walker.currentNode.nodeValue?.replaceAll('\u00a0', ' ') ?? ''
  emphasize(root)
  listWordItems(root)
  for (const table of all('table'))
    if (root.contains(table)) table.replaceWith(plainTable(table as HTMLTableElement))
  const tooDeep = Array.from({ length: MAX_DEPTH + 1 }, () => ':is(blockquote, ul, ol)').join(' ')
  for (const block of all(tooDeep)) if (root.contains(block)) block.replaceWith(plainParagraph(block))
  for (const paragraph of all('p'))
    if (paragraph.textContent.trim() === '' && paragraph.querySelector('img') === null) paragraph.remove()
}

/** Returns the style of an element, which `withoutStyles` renamed. */
const styleOf = (element: Element) => element.getAttribute('data-style') ?? ''

/**
 * Replaces styles of words by the elements with the same meaning, and removes <b> that is not bold, with which
 * Google Docs surrounds all text.
 */
function emphasize(root: HTMLElement): void {
  const { ownerDocument } = root
  for (const bold of root.querySelectorAll('b[data-style], strong[data-style]'))
    if (/font-weight:\s*(?:normal|400)/i.test(styleOf(bold))) bold.replaceWith(...bold.childNodes)
  const styles = [
    ['strong', /font-weight:\s*(?:bold|[6-9]00)/i],
    ['em', /font-style:\s*italic/i],
    ['s', /text-decoration[a-z-]{0,9}\s?:[^;]{0,60}line-through/i],
  ] as const
  for (const span of root.querySelectorAll('span[data-style], font[data-style]'))
    for (const [name, style] of styles) {
      if (!style.test(styleOf(span))) continue
      const element = ownerDocument.createElement(name)
      element.append(...span.childNodes)
      span.append(element)
    }
}

/** Makes lists of the paragraphs that Word shows as list items with their markers as text. */
function listWordItems(root: HTMLElement): void {
  const { ownerDocument } = root
  let lists: HTMLElement[] = []
  for (const item of root.querySelectorAll('p[data-style*="mso-list"], p[class*="MsoListParagraph"]')) {
    const marker = [...item.querySelectorAll('span')].find((span) =>
      /mso-list:\s*ignore/i.test(styleOf(span)),
    )
    const name = /[\p{L}\d][.)]/u.test(marker?.textContent ?? '') ? 'ol' : 'ul'
    marker?.remove()
    const level = Number(/mso-list:[^;]*level([1-9])/.exec(styleOf(item))?.[1] ?? 1)
    if (lists[0] === undefined || item.previousElementSibling !== lists[0]) {
      lists = [ownerDocument.createElement(name)]
      item.before(lists[0]!)
    }
    lists.length = Math.min(lists.length, level)
    while (lists.length < level) {
      const parent = lists.at(-1)!
      const list = ownerDocument.createElement(name)
      if (parent.lastElementChild === null) parent.append(ownerDocument.createElement('li'))
      parent.lastElementChild!.append(list)
      lists.push(list)
    }
    const entry = ownerDocument.createElement('li')
    entry.append(item)
    lists.at(-1)!.append(entry)
  }
}

/** Selector of the blocks that a table cell cannot contain. */
const BLOCKS =
  'p, div, li, ul, ol, h1, h2, h3, h4, h5, h6, table, tbody, thead, tfoot, tr, td, th, blockquote, pre, br'

/** Removes the blocks in an element. Their texts stay, separated by blanks. */
function flatten(element: HTMLElement): void {
  for (const block of element.querySelectorAll(BLOCKS)) {
    block.before(' ')
    block.replaceWith(...block.childNodes)
  }
}

/** Returns a paragraph with the content of a block. */
function plainParagraph(block: HTMLElement): HTMLElement {
  flatten(block)
  const paragraph = block.ownerDocument.createElement('p')
  paragraph.append(...block.childNodes)
  return paragraph
}

/**
 * Returns a table without merged cells and with one line in each cell. A merged cell keeps its text in its first place.
 * A table of more than MAX_CELLS cells becomes paragraphs.
 */
function plainTable(table: HTMLTableElement): HTMLElement {
  const { ownerDocument } = table
  const grid: Element[][] = Array.from(table.rows, () => [])
  let places = 0
  Array.from(table.rows).forEach((row, top) => {
    for (const cell of row.cells) {
      const line = grid[top]!
      let left = 0
      while (line[left] !== undefined) left += 1
      // Merged cells could cover millions of places.
      const isMerged = places < MAX_CELLS
      const height = isMerged ? Math.min(Math.max(cell.rowSpan, 1), grid.length - top) : 1
      const cellWidth = isMerged ? Math.min(cell.colSpan, 100) : 1
      for (let down = 0; down < height; down += 1)
        for (let right = 0; right < cellWidth; right += 1)
          grid[top + down]![left + right] = ownerDocument.createElement('td')
      places += height * cellWidth
      const place = line[left]!
      flatten(cell)
      if (cell.dataset['align'] !== undefined) place.setAttribute('data-align', cell.dataset['align'])
      place.append(...cell.childNodes)
    }
  })
  const filled = grid.filter((cells) =>
    cells.some((cell) => cell.textContent.trim() !== '' || cell.querySelector('img')),
  )
  const width = Math.max(0, ...filled.map(({ length }) => length))
  const isLarge = width * filled.length > MAX_CELLS
  const rows = filled.map((cells) => {
    const row = ownerDocument.createElement(isLarge ? 'p' : 'tr')
    if (isLarge) row.append(cells.map((cell) => cell.textContent.trim()).join(' '))
    else
      row.append(
        ...Array.from({ length: width }, (_, column) => cells[column] ?? ownerDocument.createElement('td')),
      )
    return row
  })
  const plain = ownerDocument.createElement(isLarge ? 'div' : 'table')
  plain.append(...rows)
  return plain
}

/** Returns pasted plain text as content of the editor: a blank line begins a paragraph, other line breaks stay. */
export function textSlice(text: string): Slice {
  const paragraphs = text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((lines) =>
      nodeType('paragraph').create(
        null,
        lines
          .split('\n')
          .flatMap((line, index) => [
            ...(index === 0 ? [] : [nodeType('hard_break').create()]),
            ...(line === '' ? [] : [schema.text(line)]),
          ]),
      ),
    )
  return new Slice(Fragment.fromArray(paragraphs), 1, 1)
}
