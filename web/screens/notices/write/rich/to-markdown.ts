import type { Node } from 'prosemirror-model'
import { readMarkdown, type Original, type TypedBlock } from './from-markdown.ts'
import { inlineMarkdown, shownContent } from './inline-markdown.ts'

/** Cache of the Markdown of blocks that were written before. Documents share the blocks that did not change. */
const written = new WeakMap<Node, string>()

/**
 * Returns a document as Markdown. A block that was not edited comes back as its author typed it, byte for byte
 * (design/notices#editor). Without an original, all is written again. Empty paragraphs are left out: Markdown has none.
 */
export function writeMarkdown(doc: Node, original?: Original): string {
  if (original !== undefined && doc.eq(original.doc)) return original.text
  const blocks = original?.blocks ?? new Map<Node, TypedBlock>()
  const [first] = blocks.values()
  let text = ''
  let isFirst = true
  let sign: string | undefined
  let before: TypedBlock | undefined
  doc.forEach((block) => {
    if (isEmpty(block)) return
    const typed = blocks.get(block)
    const follows = before?.next === block
    // A fence at the end of a text need not be closed.
    const isOpen = block.type.name === 'code_block' && typed?.next === undefined && block !== doc.lastChild
    const staysInPlace = !isOpen && (follows || (isFirst && typed === first))
    const isKept = typed !== undefined && (staysInPlace || staysItself(typed.text, block, sign))
    text += isFirst ? '' : follows && before !== undefined ? before.gap : '\n\n'
    text += isKept ? typed.text : blockMarkdown(block, sign)
    sign = isKept ? (block.attrs['marker'] as string | undefined) : signOfList(block, sign)
    before = isKept ? typed : undefined
    isFirst = false
  })
  return text + (before?.next === undefined ? (before?.gap ?? '') : '')
}

/** Returns whether the typed text of a block means the same elsewhere: no code without an end, no joined list. */
const staysItself = (text: string, block: Node, signBefore: string | undefined) =>
  !/^\s/.test(text) && block.type.name !== 'code_block' && block.attrs['marker'] !== (signBefore ?? '')

/** Returns whether a block is a paragraph without visible content. */
const isEmpty = (block: Node) => block.type.name === 'paragraph' && shownContent(block).size === 0
/** Returns whether a node is a list. */
const isList = ({ type }: Node) => type.name === 'bullet_list' || type.name === 'ordered_list'

/**
 * Returns the marker of a list; undefined for other blocks. Two lists in a row get different ones, or Markdown would join them.
 * @param signBefore marker of the list directly before this block
 */
function signOfList(block: Node, signBefore: string | undefined): string | undefined {
  if (!isList(block)) return undefined
  const marker = block.attrs['marker'] as string
  const others = block.type.name === 'ordered_list' ? ['.', ')'] : ['-', '*']
  return marker === signBefore ? others.find((other) => other !== marker) : marker
}

/**
 * Reads a text for the editor, as `readMarkdown`.
 * @returns undefined also if the editor could not write the text again without changing what readers see
 */
export function openMarkdown(text: string): Original | undefined {
  const original = readMarkdown(text)
  if (original === undefined) return undefined
  const again = readMarkdown(writeMarkdown(original.doc))
  return again !== undefined && isSame(again.doc, original.doc) ? original : undefined
}

/** Returns whether two documents look the same to readers. */
export const isSame = (one: Node, other: Node): boolean => toShownNode(one).eq(toShownNode(other))

/**
 * Returns a node without what readers do not see: blanks at both ends of lines outside code, empty paragraphs and the
 * markers of lists.
 */
export function toShownNode(node: Node): Node {
  if (node.type.name === 'code_block' || node.isLeaf) return node
  if (node.isTextblock) return node.copy(shownContent(node))
  const children: Node[] = []
  node.forEach((child) => {
    const isCell = node.type.name.startsWith('table_')
    if (isCell || !isEmpty(child)) children.push(toShownNode(child))
  })
  const attrs = isList(node) ? { ...node.attrs, marker: '' } : node.attrs
  return node.type.create(attrs, children)
}

/**
 * Returns the Markdown of a block, from the cache if it was written before. Lists are not cached, because their
 * marker depends on the block before.
 */
function blockMarkdown(block: Node, signBefore: string | undefined): string {
  const sign = signOfList(block, signBefore)
  if (sign !== undefined) return listMarkdown(block, sign)
  const cached = written.get(block)
  if (cached !== undefined) return cached
  const text = writeBlock(block)
  written.set(block, text)
  return text
}

/** Returns the Markdown of a block that is no list. */
function writeBlock(block: Node): string {
  const { level } = block.attrs as { level: number }
  switch (block.type.name) {
    case 'heading': {
      const hasLines = block.content.content.some(({ type }) => type.name === 'hard_break')
      const around = (text: string) =>
        // Only underlined headings can have several lines.
        hasLines && level < 3
          ? `${text}\n${level === 1 ? '===' : '---'}`
          : `${'#'.repeat(level)} ${oneLine(text)}`.trim()
      return around(inlineMarkdown(block, around))
    }
    case 'blockquote':
      return blocksMarkdown(block, '\n\n')
        .split('\n')
        .map((line) => (line === '' ? '>' : `> ${line}`))
        .join('\n')
    case 'code_block':
      return codeMarkdown(block)
    case 'horizontal_rule':
      // Underscores can neither underline a heading nor begin a list.
      return '___'
    case 'table':
      return tableMarkdown(block)
    default:
      return inlineMarkdown(block, (text) => text)
  }
}

/** Returns a heading on one line. Signs at its end get a backslash, because Markdown would leave them out. */
const oneLine = (text: string) => text.replaceAll(/\\?\n/g, ' ').replace(/(^|\s)(#+)$/, '$1\\$2')

/** Returns the Markdown of the blocks in a block, without empty paragraphs. */
function blocksMarkdown(parent: Node, separator: string): string {
  let sign: string | undefined
  return filledBlocks(parent)
    .map((block) => {
      const text = blockMarkdown(block, sign)
      sign = signOfList(block, sign)
      return text
    })
    .join(separator)
}

/** Returns the blocks in a block, without empty paragraphs. */
const filledBlocks = (parent: Node) => parent.content.content.filter((block) => !isEmpty(block))

/** Returns a code block with a fence that is longer than any in its text. */
function codeMarkdown(block: Node): string {
  const language = block.attrs['language'] as string
  const sign = language.includes('`') ? '~' : '`'
  const longest = Math.max(2, ...(block.textContent.match(/[`~]{3,}/g) ?? []).map(({ length }) => length))
  const fence = sign.repeat(longest + 1)
  return [fence + language, ...(block.textContent === '' ? [] : [block.textContent]), fence].join('\n')
}

/** Returns cells as a row of a Markdown table. */
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
/** Returns the text of a cell on one line, with its vertical bars escaped. */
const escaped = (text: string) => text.replaceAll(/\\?\n/g, ' ').replaceAll('|', '\\|')

/** Returns a table as Markdown. Its first row is the head and decides about alignment; shorter rows get empty cells. */
function tableMarkdown(table: Node): string {
  const rows = table.content.content.map((row) => row.content.content)
  const width = Math.max(...rows.map(({ length }) => length))
  const cellOf = (cell: Node | undefined) =>
    cell?.firstChild
      ? escaped(inlineMarkdown(cell.firstChild, (text) => `${line([escaped(text)])}\n| --- |`))
      : ''
  const texts = rows.map((row) => line(Array.from({ length: width }, (_, column) => cellOf(row[column]))))
  const rules = Array.from(
    { length: width },
    (_, column) => RULES[`${rows[0]?.[column]?.attrs['align']}`] ?? '---',
  )
  return texts.toSpliced(1, 0, line(rules)).join('\n')
}

/** Cells of the line below the head of a table, by alignment. */
const RULES: Record<string, string> = { left: ':---', center: ':---:', right: '---:' }

/** Returns a list as Markdown with this marker. It has blank lines between its items unless all may do without. */
function listMarkdown(list: Node, sign: string): string {
  const { start, tight } = list.attrs as { start?: number; tight: boolean }
  const items = list.content.content
  const separator = tight && items.every(isTight) ? '\n' : '\n\n'
  const texts = items.map((item) => blocksMarkdown(item, separator))
  // Three signs without words would be a rule.
  const bullet = texts.some((text) => /^[-*][-* ]+$/m.test(text)) ? '+' : sign
  return texts
    .map((text, index) => {
      const label = start === undefined ? bullet : `${start + index}${sign}`
      const indent = ' '.repeat(label.length + 1)
      return `${label} ${text.replaceAll(/\n(?!\n|$)/g, `\n${indent}`)}`.trimEnd()
    })
    .join(separator)
}

/** Returns whether the blocks of an item mean the same without a blank line between them. */
function isTight(item: Node): boolean {
  const blocks = filledBlocks(item)
  return blocks.every((block, index) => {
    const before = blocks[index - 1]
    if (before === undefined) return true
    const isAfterLines = before.type.name === 'heading' || before.type.name === 'code_block'
    if (!isList(block)) {
      const isMarked = /^(?:heading|code_block|blockquote)$/.test(block.type.name)
      return isAfterLines || (before.type.name === 'paragraph' && isMarked)
    }
    // Only a list that begins with 1 and words can follow a paragraph directly.
    const isPlain = (block.attrs['start'] ?? 1) === 1 && filledBlocks(block.firstChild!).length > 0
    return isAfterLines || isList(before) || (before.type.name === 'paragraph' && isPlain)
  })
}
