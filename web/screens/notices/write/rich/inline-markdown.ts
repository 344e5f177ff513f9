import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { readMarkdown } from './from-markdown.ts'
import { markType, nodeType, schema } from './schema.ts'

/** A way to write the same words as Markdown. Later ways in WAYS are safer, but read worse. */
interface Way {
  /** True to put a backslash before every sign that could be Markdown. */
  escapes: boolean
  em: '*' | '_'
  /** Characters at the ends of emphasized words that lose their emphasis. */
  edge: RegExp
}

/** Matches a blank character. */
const SPACE = /^\s$/
/** Matches a blank, a punctuation or a symbol. */
const SIGN = /^[\s\p{P}\p{S}]$/u
/** Ways to write a text block, in the order in which they are tried. */
const WAYS: readonly Way[] = [
  { escapes: false, em: '*', edge: SPACE },
  { escapes: true, em: '*', edge: SPACE },
  { escapes: true, em: '_', edge: SPACE },
  { escapes: true, em: '*', edge: SIGN },
  // Without emphasis: no text is lost, whatever stands around it.
  { escapes: true, em: '*', edge: /^[^]$/u },
]

/** Marks whose signs Markdown allows only next to words. */
const EMPHASIS = ['strong', 'em', 'strike']
/** Returns whether a node is inline code. */
const isCode = (node: Node) => markType('code').isInSet(node.marks) !== undefined

/**
 * Returns the content of a text block as Markdown. Tries WAYS in order, reads each result with the parser of the
 * notice page, and returns the first that readers see as the editor shows it. If none does, returns the last:
 * without emphasis, but with all words.
 * @param around returns the Markdown of a whole block with this content
 */
export function inlineMarkdown(block: Node, around: (text: string) => string): string {
  const lines = linesOf(block)
  let text = ''
  for (const way of WAYS) {
    const written = lines.map((line) => withoutEdges(line, way.edge))
    text = written.map((line) => writeLine(line, way)).join('\n')
    if (isReadAs(around(text), fragmentOf(written))) return text
  }
  return text
}

/** Returns the content of a text block as readers see it: without blanks at the ends of its lines. */
export const shownContent = (block: Node): Fragment =>
  fragmentOf(linesOf(block).map((line) => withoutEdges(line, SPACE)))

/** Returns whether Markdown is read as one block with this content. */
function isReadAs(markdown: string, content: Fragment): boolean {
  const doc = readMarkdown(markdown)?.doc
  let block = doc?.childCount === 1 ? doc.firstChild : null
  while (block != null && !block.isTextblock) block = block.firstChild
  return block != null && block.content.eq(content)
}

/** Returns lines as content of a block, with line breaks between them. */
function fragmentOf(lines: readonly (readonly Node[])[]): Fragment {
  const nodes = lines.flatMap((line, index) =>
    index === 0 ? line : [nodeType('hard_break').create(), ...line],
  )
  return Fragment.fromArray(nodes)
}

/** Returns the lines of a block, without empty ones and blanks at its ends. A table cell is one line. */
function linesOf(block: Node): Node[][] {
  const lines: Node[][] = [[]]
  block.forEach((node) => {
    if (node.type.name === 'hard_break') lines.push([])
    else
      lines
        .at(-1)
        ?.push(node.isText ? schema.text((node.text ?? '').replaceAll('\n', ' '), node.marks) : node)
  })
  const trimmed = lines.map((line) =>
    trimmedEnd(trimmedEnd(line, /^[ \t]+/).toReversed(), /(?<![ \t])[ \t]+$/).toReversed(),
  )
  const shown = trimmed.slice(trimmed.findIndex(isFilled), trimmed.findLastIndex(isFilled) + 1)
  if (shown.length === 0) return []
  shown[0] = trimmedEnd(shown[0] ?? [], /^\s+/)
  shown[shown.length - 1] = trimmedEnd(shown.at(-1)!.toReversed(), /(?<!\s)\s+$/).toReversed()
  return shown
}

const isFilled = (line: readonly Node[]) => line.length > 0

/** Returns nodes without the characters that `blanks` matches in the first ones. The text of code stays. */
function trimmedEnd([first, ...others]: readonly Node[], blanks: RegExp): Node[] {
  if (first === undefined) return []
  if (!first.isText || isCode(first)) return [first, ...others]
  const text = (first.text ?? '').replace(blanks, '')
  return text === '' ? trimmedEnd(others, blanks) : [schema.text(text, first.marks), ...others]
}

/** Returns a line whose emphasis neither begins nor ends with these characters: Markdown has no sign for that. */
function withoutEdges(line: readonly Node[], edge: RegExp): readonly Node[] {
  if (!line.some(({ marks }) => marks.some(({ type }) => EMPHASIS.includes(type.name)))) return line
  let nodes = line.flatMap((node) =>
    node.isText && !isCode(node)
      ? Array.from(node.text ?? '', (one) => schema.text(one, node.marks))
      : [node],
  )
  for (const type of EMPHASIS.map(markType)) {
    const strip = (list: readonly Node[]) => {
      let before: readonly Mark[] = []
      return list.map((node) => {
        const sign = isCode(node) || !node.isText ? '`' : (node.text ?? '')
        const isEdge = edge.test(sign) && !type.isInSet(before)
        const kept = isEdge ? node.mark(type.removeFromSet(node.marks)) : node
        before = kept.marks
        return kept
      })
    }
    nodes = strip(strip(nodes).toReversed()).toReversed()
  }
  const joined: Node[] = []
  Fragment.fromArray(nodes).forEach((node) => joined.push(node))
  return joined
}

/**
 * Returns a line as Markdown in a way: opens and closes the signs of marks so that they nest, and escapes signs at
 * its start. A line without words becomes a backslash.
 */
function writeLine(nodes: readonly Node[], way: Way): string {
  let out = ''
  let open: readonly Mark[] = []
  const closeTo = (count: number) => {
    out += open
      .slice(count)
      .toReversed()
      .map((mark) => signOf(mark, way, false))
      .join('')
    open = open.slice(0, count)
  }
  nodes.forEach((node, index) => {
    const marks = node.marks.filter(({ type }) => type.name !== 'code')
    const firstClosed = open.findIndex((mark) => !mark.isInSet(marks))
    if (firstClosed !== -1) closeTo(firstClosed)
    const lengthOf = (mark: Mark) => {
      const end = nodes.findIndex((other, at) => at > index && !mark.isInSet(other.marks))
      return end === -1 ? nodes.length : end
    }
    // A mark that ends later goes outside.
    const fresh = marks.filter((mark) => !mark.isInSet(open)).toSorted((a, b) => lengthOf(b) - lengthOf(a))
    out += fresh.map((mark) => signOf(mark, way, true)).join('')
    open = [...open, ...fresh]
    out += leafOf(node, way)
  })
  closeTo(0)
  // A line without words between two others.
  if (out === '') return '\\'
  return way.escapes
    ? out.replace(/^(#{1,6}(?=\s|$)|[-+>=|:])/, '\\$1').replace(/^(\d{1,9})([.)])/, '$1\\$2')
    : out
}

/** Returns the Markdown sign that opens or closes a mark. */
function signOf({ type, attrs }: Mark, { em }: Way, isOpening: boolean): string {
  if (type.name === 'link') return isOpening ? '[' : `](${targetText(attrs)})`
  return type.name === 'em' ? em : type.name === 'strong' ? '**' : '~~'
}

/** Returns the Markdown of an image, of code, or of words with their signs escaped if the way says so. */
function leafOf(node: Node, { escapes }: Way): string {
  const { src, alt, title } = node.attrs
  if (!node.isText) return `![${alt}](${targetText({ href: src, title })})`
  const text = node.text ?? ''
  if (!isCode(node)) return escapes ? text.replaceAll(/[\\`*_[\]<~&!]/g, '\\$&') : text
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text)
  const pad = text.startsWith('`') || text.endsWith('`') || isPadded ? ' ' : ''
  return fence + pad + text + pad + fence
}

/** Returns the target of a link or image with its title, as Markdown has it in parentheses. */
function targetText({ href, title }: { href?: string; title?: string }): string {
  const target = /[\s()<>\\]/.test(href ?? '') ? `<${href?.replaceAll(/[<>\\]/g, '\\$&')}>` : href
  return title ? `${target} "${title.replaceAll(/["\\]/g, '\\$&')}"` : `${target}`
}
