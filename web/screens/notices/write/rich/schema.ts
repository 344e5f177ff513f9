import { type Attrs, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { tableNodes } from 'prosemirror-tables'
import { pictureAt } from '../../../../../contract/notices.ts'
import memo from '../../read/memo-text.module.css'
import { targetOf } from '../../read/links.tsx'

/** Returns an attribute of an element; '' without it. */
const text = (dom: HTMLElement, name: string) => dom.getAttribute(name) ?? ''
/** Attributes of a list: its marker, and whether its items have no blank lines between them. */
const list = (marker: string) => ({ marker: { default: marker }, tight: { default: true } })

/**
 * Returns the first number of a pasted list; 1 for a number that Markdown cannot write: below zero, or of more than
 * nine digits.
 */
const startOf = ({ start }: HTMLOListElement) => (start >= 0 && start < 100_000_000 ? start : 1)

/** Rules that read headings. An editor shows them one level lower, so a copied one states its real level. */
const headings = [1, 2, 3, 4, 5, 6].map((level) => ({
  tag: `h${level}`,
  getAttrs: (dom: HTMLElement): Attrs => ({
    level: Number(/^[1-6]$/.exec(dom.dataset['level'] ?? '') ?? level),
  }),
}))

/** Nodes of tables, whose cells are one paragraph with an alignment. */
const tables = tableNodes({
  tableGroup: 'block',
  cellContent: 'paragraph',
  cellAttributes: {
    align: {
      default: null,
      getFromDOM: (dom) => dom.dataset['align'] ?? null,
      setDOMAttr: (value, attributes) => {
        if (value !== null) attributes['data-align'] = value
      },
    },
  },
})

/** Nodes of a document: how they nest, how they are read from pasted HTML, and how the editor shows them. */
const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block+' },
  paragraph: { group: 'block', content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
  heading: {
    group: 'block',
    content: 'inline*',
    attrs: { level: { default: 2 } },
    defining: true,
    parseDOM: headings,
    // One level below, as for readers: the page has a heading of its own.
    toDOM: ({ attrs: { level } }) => [`h${Math.min(6, level + 1)}`, { 'data-level': level }, 0],
  },
  blockquote: {
    group: 'block',
    content: 'block+',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  bullet_list: {
    group: 'block',
    content: 'list_item+',
    attrs: list('-'),
    parseDOM: [{ tag: 'ul' }],
    toDOM: () => ['ul', 0],
  },
  ordered_list: {
    group: 'block',
    content: 'list_item+',
    attrs: { ...list('.'), start: { default: 1 } },
    parseDOM: [{ tag: 'ol', getAttrs: (dom) => ({ start: startOf(dom as HTMLOListElement) }) }],
    toDOM: ({ attrs: { start } }) => ['ol', { start }, 0],
  },
  list_item: { content: 'block+', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
  code_block: {
    group: 'block',
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    attrs: { language: { default: '' } },
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', ['code', 0]],
  },
  horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  ...tables,
  table: { ...tables.table, toDOM: () => ['div', { class: memo['scroll'] }, ['table', ['tbody', 0]]] },
  text: { group: 'inline' },
  hard_break: {
    group: 'inline',
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  image: {
    group: 'inline',
    inline: true,
    attrs: { src: {}, alt: { default: '' }, title: { default: '' } },
    // Only images that were copied from an editor: the portal shows no others.
    parseDOM: [
      {
        tag: 'img[data-picture]',
        getAttrs: (dom) => {
          const given = dom.dataset['picture'] ?? ''
          const src = pictureAt(given) === undefined ? targetOf(given, location.origin)?.href : given
          const [alt, title] = ['alt', 'title'].map((name) =>
            text(dom, name).replaceAll(/[[\]\\`<>&\s]+/g, ' '),
          )
          return src === undefined ? false : { src, alt, title }
        },
      },
    ],
    toDOM: ({ attrs: { src, alt, title } }) => ['img', { 'data-picture': src, alt, title }],
  },
}

/** Marks of words, as `nodes`. */
const marks: Record<string, MarkSpec> = {
  link: {
    attrs: { href: {}, title: { default: '' } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (dom) => {
          const target = targetOf(text(dom, 'href'), location.origin)
          // The title of a pasted link is not shown, and its blank lines would begin a block.
          return target === undefined ? false : { href: target.href }
        },
      },
    ],
    // Never a target that the reader would not get either.
    toDOM: ({ attrs: { href } }) => ['a', { href: targetOf(href, location.origin)?.href ?? null }, 0],
  },
  strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
  em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
  strike: { parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }], toDOM: () => ['s', 0] },
  code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
}

/** Schema of the documents of the editor: the part of Markdown that a notice can contain (design/notices#editor). */
export const schema = new Schema({ nodes, marks })

/**
 * Returns a node type of the schema by its name. Does not check the name: an unknown one gives undefined, despite the
 * type.
 */
export const nodeType = (name: string) => schema.nodes[name]!

/**
 * Returns a mark type of the schema by its name. Does not check the name: an unknown one gives undefined, despite the
 * type.
 */
export const markType = (name: string) => schema.marks[name]!
