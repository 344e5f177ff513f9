import { baseKeymap, chainCommands, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules'
import type { Node, NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
} from 'prosemirror-tables'
import type { TableTool, Tool, ToolWords } from '../text-tools.ts'
import { markType, nodeType } from './schema.ts'

/**
 * Returns the innermost node of one of these types around the selection, and its position; undefined if there is none.
 */
function around(
  { selection: { $from } }: EditorState,
  ...names: string[]
): { node: Node; pos: number } | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth)
    if (names.includes(node.type.name)) return { node, pos: $from.before(depth) }
  }
  return undefined
}

/** Names of the nodes of lists. */
const LISTS = ['bullet_list', 'ordered_list']
/** Marks by the tools that give them. */
const MARK_TOOLS = { bold: 'strong', italic: 'em', strike: 'strike', code: 'code', link: 'link' }
/** Nodes by the tools that give them. */
const BLOCK_TOOLS = { heading: 'heading', list: 'bullet_list', numbers: 'ordered_list', quote: 'blockquote' }

/** Returns the tools whose format the selection has, with 'table' inside a table and 'picture' for a selected image. */
export function pressedTools(state: EditorState): ReadonlySet<string> {
  const { from, to, empty, $from } = state.selection
  const hasMark = (name: string) =>
    empty
      ? markType(name).isInSet(state.storedMarks ?? $from.marks()) !== undefined
      : state.doc.rangeHasMark(from, to, markType(name))
  const list = around(state, ...LISTS)?.node.type.name
  return new Set([
    ...Object.entries(MARK_TOOLS).flatMap(([tool, name]) => (hasMark(name) ? [tool] : [])),
    ...Object.entries(BLOCK_TOOLS).flatMap(([tool, name]) =>
      name === list || (!LISTS.includes(name) && around(state, name)) ? [tool] : [],
    ),
    ...(isInTable(state) ? ['table'] : []),
    ...(state.selection instanceof NodeSelection && state.selection.node.type.name === 'image'
      ? ['picture']
      : []),
  ])
}

/**
 * Returns the editor command of a tool. A format tool used again removes its format. Deleting the last row or
 * column of a table deletes the table.
 */
export function commandOf(tool: Exclude<Tool, 'link'> | TableTool, words: ToolWords): Command {
  switch (tool) {
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return toggleMark(markType(MARK_TOOLS[tool]))
    case 'heading':
      return (state, dispatch) =>
        setBlockType(nodeType(around(state, 'heading') ? 'paragraph' : 'heading'))(state, dispatch)
    case 'list':
    case 'numbers':
      return toggleList(nodeType(BLOCK_TOOLS[tool]))
    case 'quote':
      return (state, dispatch) =>
        around(state, 'blockquote') ? lift(state, dispatch) : wrapIn(nodeType('blockquote'))(state, dispatch)
    case 'table':
      return insertTable(words)
    case 'addRow':
      return addRowAfter
    case 'addColumn':
      return addColumnAfter
    case 'deleteRow':
      return chainCommands(deleteRow, deleteTable)
    case 'deleteColumn':
      return chainCommands(deleteColumn, deleteTable)
    case 'deleteTable':
      return deleteTable
  }
}

/**
 * Returns the command that makes the selection a list, changes the kind of the list around it, or takes it out of
 * a list of this kind.
 */
function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const list = around(state, ...LISTS)
    if (list === undefined) return wrapInList(type)(state, dispatch)
    if (list.node.type === type) return liftListItem(nodeType('list_item'))(state, dispatch)
    dispatch?.(state.tr.setNodeMarkup(list.pos, type, { tight: list.node.attrs['tight'] }))
    return true
  }
}

/**
 * Returns the command that inserts a small table after the block of the selection, and selects its first heading. Does
 * nothing inside a table.
 */
function insertTable({ column, cell }: ToolWords): Command {
  return (state, dispatch) => {
    if (isInTable(state)) return false
    const row = (name: string, ...texts: string[]) =>
      nodeType('table_row').create(
        null,
        texts.map((text) =>
          nodeType(name).create(null, nodeType('paragraph').create(null, state.schema.text(text))),
        ),
      )
    const head = `${column} 1`
    const table = nodeType('table').create(null, [
      row('table_header', head, `${column} 2`),
      row('table_cell', cell, cell),
    ])
    const { $to } = state.selection
    const isEmpty = $to.parent.content.size === 0
    const at = isEmpty ? $to.before() : $to.after()
    const { tr } = state
    tr.replaceWith(at, isEmpty ? $to.after() : at, table)
    // Into the table, its row, its cell and its paragraph.
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, at + 4, at + 4 + head.length)).scrollIntoView())
    return true
  }
}

/**
 * Command that moves from a table cell to the one below. In the last row it moves behind the table, where it adds
 * a paragraph if there is none. A cell has one line.
 */
const enterInTable: Command = (state, dispatch) => {
  const cell = around(state, 'table_cell', 'table_header')
  const table = around(state, 'table')
  if (cell === undefined || table === undefined) return false
  const $cell = state.doc.resolve(cell.pos)
  const below = table.node.maybeChild($cell.index($cell.depth - 1) + 1)
  const { tr } = state
  if (below === null) {
    const end = table.pos + table.node.nodeSize
    if (tr.doc.nodeAt(end)?.type.name !== 'paragraph') tr.insert(end, nodeType('paragraph').create())
    tr.setSelection(Selection.near(tr.doc.resolve(end + 1)))
  } else {
    let at = $cell.after($cell.depth) + 1
    for (let column = 0; column < $cell.index(); column += 1) at += below.child(column).nodeSize
    tr.setSelection(Selection.near(tr.doc.resolve(at + 1)))
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Command that inserts a line break, except in a table. */
const breakLine: Command = (state, dispatch) => {
  if (isInTable(state)) return false
  dispatch?.(state.tr.replaceSelectionWith(nodeType('hard_break').create(), false).scrollIntoView())
  return true
}

/**
 * Creates the plugin with which Tab and Shift+Tab move between the cells of a table; behind the last cell, Tab adds a row
 * (rules/notices#editor). Outside a table, before the first cell and after Esc they leave the editor.
 */
export function createCellKeys(): Plugin {
  let isLeaving = false
  return new Plugin({
    props: {
      handleKeyDown(view, { key, shiftKey, ctrlKey, altKey, metaKey }) {
        const mayLeave = isLeaving
        isLeaving = key === 'Escape' || (isLeaving && key === 'Shift')
        if (key !== 'Tab' || ctrlKey || altKey || metaKey || mayLeave || !isInTable(view.state)) return false
        const go = goToNextCell(shiftKey ? -1 : 1)
        if (go(view.state, view.dispatch)) return true
        return !shiftKey && addRowAfter(view.state, view.dispatch) && go(view.state, view.dispatch)
      },
    },
  })
}

/** Commands of the editor by key. Tab is not among them, so that it leaves the editor outside tables. */
export const KEYS: Record<string, Command> = {
  ...baseKeymap,
  'Mod-b': toggleMark(markType('strong')),
  'Mod-i': toggleMark(markType('em')),
  'Shift-Mod-x': toggleMark(markType('strike')),
  'Mod-e': toggleMark(markType('code')),
  'Mod-z': undo,
  'Mod-y': redo,
  'Shift-Mod-z': redo,
  'Shift-Enter': breakLine,
  'Mod-]': sinkListItem(nodeType('list_item')),
  'Mod-[': liftListItem(nodeType('list_item')),
  Enter: chainCommands(enterInTable, splitListItem(nodeType('list_item')), baseKeymap['Enter']!),
  Backspace: chainCommands(undoInputRule, baseKeymap['Backspace']!),
}

/**
 * Plugin that gives a paragraph the format whose Markdown the user types at its start: heading, code, quote, list
 * or rule.
 */
export const typedFormats = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,6})\s$/, nodeType('heading'), ([, signs = '']) => ({
      level: signs.length,
    })),
    textblockTypeInputRule(/^```$/, nodeType('code_block')),
    wrappingInputRule(/^\s*>\s$/, nodeType('blockquote')),
    wrappingInputRule(/^\s*[-*]\s$/, nodeType('bullet_list')),
    wrappingInputRule(
      /^(\d{1,3})\.\s$/,
      nodeType('ordered_list'),
      ([, start]) => ({ start: Number(start) }),
      ([, start], { childCount, attrs }) => childCount + (attrs['start'] as number) === Number(start),
    ),
    new InputRule(/^(?:---|___)$/, ({ tr, doc }, _match, start) => {
      const $start = doc.resolve(start)
      if ($start.depth > 1) return null
      return tr.replaceWith($start.before(), $start.after(), [
        nodeType('horizontal_rule').create(),
        nodeType('paragraph').create(),
      ])
    }),
  ],
})

/** Plugin that keeps a paragraph after the last block, to type in, and headings in the first row of tables only. */
export const keepShape = new Plugin({
  appendTransaction: (transactions, _before, state) =>
    transactions.some(({ docChanged }) => docChanged) ? shaped(state) : null,
})

/** Returns the transaction that restores the rules of `keepShape`; null if the document fulfills them. */
function shaped({ doc, tr }: EditorState): Transaction | null {
  doc.descendants((node, pos, _parent, row) => {
    if (node.type.name !== 'table') return !node.isTextblock
    node.forEach((line, offset, index) => {
      const type = nodeType(index === 0 ? 'table_header' : 'table_cell')
      line.forEach((cell, at) => {
        if (cell.type !== type) tr.setNodeMarkup(pos + offset + at + 2, type)
      })
    })
    return row < 0
  })
  if (withTail(doc) !== doc) tr.insert(doc.content.size, nodeType('paragraph').create())
  return tr.docChanged ? tr : null
}

/** Returns a document that ends with a paragraph, so that users can type after a table or a list. */
export const withTail = (doc: Node): Node =>
  doc.lastChild?.type.name === 'paragraph'
    ? doc
    : doc.copy(doc.content.addToEnd(nodeType('paragraph').create()))
