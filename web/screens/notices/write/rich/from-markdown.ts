import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { alignOf, attribute, markdown, treeOf, type Part } from '../../read/markdown-parser.ts'
import { markType, nodeType, schema } from './schema.ts'

/** Top-level block of a text as its author typed it. */
export interface TypedBlock {
  text: string
  /** The line breaks up to the next block. */
  gap: string
  /** The block after it; undefined for the last one. */
  next: Node | undefined
}

/**
 * A Markdown text that was read: its document, and the typed text of each top-level block, so that unedited blocks
 * can be written as they were.
 */
export interface Original {
  text: string
  doc: Node
  blocks: ReadonlyMap<Node, TypedBlock>
}

/** Thrown for Markdown that the editor has no node for. */
class UnknownMarkdown extends Error {}

/**
 * Number of blocks, cells and differently formatted words above which the editor does not open a text, because
 * typing would be slow.
 */
const MAX_PARTS = 6_000

/**
 * Reads a Markdown text as a document of the editor, with the parser of the notice page.
 * @returns undefined if the editor cannot keep the text: it has reference links, unknown Markdown or too many parts
 */
export function readMarkdown(text: string): Original | undefined {
  const environment: { references?: Record<string, { title: string; href: string }> } = {}
  const tokens = markdown.parse(text, environment)
  if (environment.references !== undefined && Object.keys(environment.references).length > 0) return undefined
  const count = tokens.reduce(
    (sum, { nesting, children }) => sum + Number(nesting === 1) + (children?.length ?? 0),
    0,
  )
  if (count > MAX_PARTS) return undefined
  try {
    const parts = treeOf(tokens)
    const blocks = parts.map(blockOf)
    return {
      text,
      doc: schema.node('doc', null, blocksOrEmpty(blocks)),
      blocks: typedBlocks(text, parts, blocks),
    }
  } catch (error) {
    if (error instanceof UnknownMarkdown) return undefined
    throw error
  }
}

/** Returns the typed text of each top-level block, by block. The text before the first one belongs to it. */
function typedBlocks(text: string, parts: readonly Part[], blocks: readonly Node[]): Map<Node, TypedBlock> {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  const startOf = (index: number) => (index === 0 ? 0 : (parts[index]?.token.map?.[0] ?? lines.length))
  return new Map(
    blocks.map((block, index) => {
      const own = lines.slice(startOf(index), startOf(index + 1))
      const raw = own.join('\n') + (index === blocks.length - 1 ? '' : '\n')
      const typed = own.slice(0, own.findLastIndex((line) => /[^ \t]/.test(line)) + 1).join('\n')
      return [block, { text: typed, gap: raw.slice(typed.length), next: blocks[index + 1] }]
    }),
  )
}

/** Returns the blocks, or an empty paragraph instead of none: the schema requires one. */
const blocksOrEmpty = (blocks: readonly Node[]) =>
  blocks.length > 0 ? blocks : [nodeType('paragraph').create()]
/** Returns the content of a block that contains blocks. */
const blocksOf = (parts: readonly Part[]) => Fragment.from(blocksOrEmpty(parts.map(blockOf)))
/** Returns the content of a text block. */
const inlineOf = (parts: readonly Part[]) => Fragment.from(parts.flatMap((part) => inlineNodes(part, [])))

/** Returns the block of the editor for a token of the parser. @throws {UnknownMarkdown} for a token without one */
function blockOf({ token, parts }: Part): Node {
  switch (token.type) {
    case 'paragraph_open':
      return nodeType('paragraph').create(null, inlineOf(parts))
    case 'heading_open':
      return nodeType('heading').create({ level: Number(token.tag.slice(1)) }, inlineOf(parts))
    case 'blockquote_open':
      return nodeType('blockquote').create(null, blocksOf(parts))
    case 'bullet_list_open':
      return nodeType('bullet_list').create(listAttrs(token.markup, parts), parts.map(blockOf))
    case 'ordered_list_open': {
      const start = Number(token.attrGet('start') ?? 1)
      return nodeType('ordered_list').create({ ...listAttrs(token.markup, parts), start }, parts.map(blockOf))
    }
    case 'list_item_open':
      return nodeType('list_item').create(null, blocksOf(parts))
    case 'fence':
    case 'code_block': {
      const code = token.content.replace(/\n$/, '')
      return nodeType('code_block').create(
        { language: token.info.trim() },
        code === '' ? null : schema.text(code),
      )
    }
    case 'hr':
      return nodeType('horizontal_rule').create()
    case 'table_open':
      return nodeType('table').create(
        null,
        parts.flatMap((section) => section.parts.map(blockOf)),
      )
    case 'tr_open':
      return nodeType('table_row').create(null, parts.map(blockOf))
    case 'th_open':
    case 'td_open': {
      const type = nodeType(token.type === 'th_open' ? 'table_header' : 'table_cell')
      const content = nodeType('paragraph').create(null, inlineOf(parts))
      return type.create({ align: alignOf(token) ?? null }, content)
    }
    default:
      throw new UnknownMarkdown(token.type)
  }
}

/** Returns the attributes of a list: its marker, and whether its items have no blank lines between them. */
function listAttrs(marker: string, items: readonly Part[]) {
  const paragraphs = items
    .flatMap(({ parts }) => parts)
    .filter(({ token }) => token.type === 'paragraph_open')
  return { marker, tight: paragraphs.every(({ token }) => token.hidden) }
}

/** Marks by the token that opens them. */
const MARKS: Record<string, string> = { strong_open: 'strong', em_open: 'em', s_open: 'strike' }

/**
 * Returns the nodes of the editor for a token within a text block, with these marks. @throws {UnknownMarkdown} for
 * a token without one
 */
function inlineNodes({ token, parts }: Part, marks: readonly Mark[]): Node[] {
  const within = (mark: Mark) => parts.flatMap((part) => inlineNodes(part, mark.addToSet(marks)))
  const mark = MARKS[token.type]
  if (mark !== undefined) return within(markType(mark).create())
  switch (token.type) {
    case 'inline':
      return parts.flatMap((part) => inlineNodes(part, marks))
    case 'text':
      return token.content === '' ? [] : [schema.text(token.content, marks)]
    case 'softbreak':
    case 'hardbreak':
      return [nodeType('hard_break').create()]
    case 'code_inline':
      return [schema.text(token.content, markType('code').create().addToSet(marks))]
    case 'link_open':
      return within(
        markType('link').create({ href: attribute(token, 'href'), title: attribute(token, 'title') }),
      )
    case 'image':
      return [
        nodeType('image').create(
          { src: attribute(token, 'src'), alt: token.content, title: attribute(token, 'title') },
          null,
          marks,
        ),
      ]
    default:
      throw new UnknownMarkdown(token.type)
  }
}
