import type { Mark, Node, ResolvedPos } from 'prosemirror-model'
import { type EditorState, NodeSelection, Selection, type Transaction } from 'prosemirror-state'
import { isInTable } from 'prosemirror-tables'
import { pictureAt } from '../../../../../contract/notices.ts'
import type { NewPicture } from '../text-tools.ts'
import { markType, nodeType } from './schema.ts'

/**
 * Returns the target and the extent of the link at the caret, or the target at the start of the selection with the
 * extent of the selection; undefined if there is no link.
 */
export function linkAround({
  selection,
}: EditorState): { href: string; from: number; to: number } | undefined {
  const { $from, $to, empty } = selection
  const mark = linkOf($from.marks()) ?? linkOf($from.nodeAfter?.marks ?? [])
  if (mark === undefined) return undefined
  const href = mark.attrs['href'] as string
  if (!empty) return { href, from: $from.pos, to: $to.pos }
  return { href, ...extentOf($from, mark) }
}

/** Returns the link among some marks; undefined if there is none. */
const linkOf = (marks: readonly Mark[]) => marks.find(({ type }) => type === markType('link'))

/** Returns the positions of all adjacent nodes around a position that have the same mark. */
function extentOf($from: ResolvedPos, mark: Mark): { from: number; to: number } {
  const has = (node: Node | null) => node !== null && mark.isInSet(node.marks)
  const { parent } = $from
  let first = $from.index()
  let last = $from.textOffset > 0 || has(parent.maybeChild(first)) ? first + 1 : first
  while (first > 0 && has(parent.maybeChild(first - 1))) first -= 1
  while (has(parent.maybeChild(last))) last += 1
  return { from: $from.posAtIndex(first), to: $from.posAtIndex(last) }
}

/**
 * Returns the edit that makes the selection, or the link at the caret, a link. Without either it inserts the
 * target as text.
 * @param href target; '' removes the link and keeps its text
 */
export function setLink(state: EditorState, href: string): Transaction {
  const { tr, selection, schema } = state
  const { from, to } = linkAround(state) ?? selection
  const mark = markType('link').create({ href })
  if (href === '') return tr.removeMark(from, to, markType('link'))
  if (from === to) return tr.insert(from, schema.text(href, [mark])).removeStoredMark(markType('link'))
  return tr.removeMark(from, to, markType('link')).addMark(from, to, mark)
}

/**
 * Returns the edit that changes the description of the selected image; null if no image is selected. Signs that
 * Markdown reads in it become blanks.
 */
export function describePicture({ tr, selection }: EditorState, words: string): Transaction | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'image') return null
  return tr
    .setNodeAttribute(selection.from, 'alt', words.replaceAll(/[[\]\\`<>&\s]+/g, ' ').trim())
    .setSelection(NodeSelection.create(tr.doc, selection.from))
}

/**
 * Returns the edit that inserts images in paragraphs of their own: after the block of the caret, or in place of an
 * empty one. In a table it inserts them at the caret.
 * @param isToBeNamed selects a single image, so that the user can describe it
 */
export function insertPictures(
  state: EditorState,
  pictures: readonly NewPicture[],
  isToBeNamed: boolean,
): Transaction {
  const images = pictures.map(({ words, name }) =>
    nodeType('image').create({ src: `image:${name}`, alt: words }),
  )
  const { tr, selection } = state
  const { $to } = selection
  if (isInTable(state)) return tr.insert($to.pos, images)
  const isEmpty = $to.parent.content.size === 0
  const at = isEmpty ? $to.before() : $to.after()
  tr.replaceWith(
    at,
    isEmpty ? $to.after() : at,
    images.map((image) => nodeType('paragraph').create(null, image)),
  )
  const end = at + images.length * 3
  return tr.setSelection(
    isToBeNamed && images.length === 1
      ? NodeSelection.create(tr.doc, at + 1)
      : Selection.near(tr.doc.resolve(Math.min(end, tr.doc.content.size))),
  )
}

/**
 * Returns the edit that removes every occurrence of an image by its name, with a paragraph that contains nothing
 * else.
 */
export function removePicture({ doc, tr }: EditorState, name: string): Transaction {
  doc.descendants((node, pos, parent) => {
    if (node.type.name !== 'image' || pictureAt(node.attrs['src'] as string) !== name) return
    const from = tr.mapping.map(pos)
    if (parent?.childCount === 1 && parent !== doc.lastChild && parent.type.name === 'paragraph')
      tr.deleteRange(from - 1, from + 2)
    else tr.delete(from, from + 1)
  })
  return tr
}
