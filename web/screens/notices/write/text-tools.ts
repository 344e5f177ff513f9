import type { Edit } from '../../../ui/replace-text.ts'

/** The tools of the toolbar, in their order. */
export const TOOLS = [
  'bold',
  'italic',
  'strike',
  'code',
  'heading',
  'list',
  'numbers',
  'quote',
  'table',
  'link',
] as const

/** Name of a tool, which adds or removes Markdown signs at the selection. */
export type Tool = (typeof TOOLS)[number]

/** The buttons of the toolbar: the tools, and the button that chooses images. */
export const TOOL_BUTTONS = [...TOOLS, 'picture'] as const

/** The further buttons of the editor while the selection is in a table. */
export const TABLE_TOOLS = ['addRow', 'addColumn', 'deleteRow', 'deleteColumn', 'deleteTable'] as const

/** Name of a tool for tables. */
export type TableTool = (typeof TABLE_TOOLS)[number]

/** Name of a button of the toolbar. `describe` changes the description of the selected image. */
export type ToolButton = (typeof TOOL_BUTTONS)[number] | TableTool | 'describe'

/** Image to insert into the text: its description (`words`) and the ID that the text refers to it by (`name`). */
export interface NewPicture {
  words: string
  name: string
}

/** Actions that both ways to write have: the editor and the Markdown source. */
export interface TextEditor {
  /** Does what a button of the toolbar does, at the selection. */
  press: (tool: ToolButton) => void
  /** Inserts images in place of the selection. `isToBeNamed` selects the description of a single image for typing. */
  insertPictures: (pictures: readonly NewPicture[], isToBeNamed: boolean) => void
  /** Deletes an image from the text, by its name. */
  removePicture: (name: string) => void
  /** Returns the Markdown of the text. */
  text: () => string
}

/**
 * Returns the edit that inserts the Markdown of images on lines of their own, instead of the selection.
 * @param isToBeNamed selects the description of a single image, so that the user can replace it by typing
 */
export function picturesEdit(
  { text, start, end }: TextSelection,
  pictures: readonly NewPicture[],
  isToBeNamed: boolean,
): Edit {
  const lines = pictures.map(({ words, name }) => `![${words}](image:${name})`).join('\n\n')
  const lead = blankLinesTo(text.slice(0, start))
  const insert = `${lead}${lines}\n${text.slice(end).startsWith('\n') ? '' : '\n'}`
  const at = start + lead.length + '!['.length
  const [first] = pictures
  return isToBeNamed && first !== undefined && pictures.length === 1
    ? { from: start, to: end, insert, start: at, end: at + first.words.length }
    : { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}

/**
 * Returns the edit that deletes the first occurrence of an image (its Markdown and up to two line breaks after
 * it), and puts the caret there.
 * @param name name of the image in the text
 * @returns undefined if the text does not contain the image
 */
export function withoutPicture(text: string, name: string): Edit | undefined {
  const found = new RegExp(
    `!\\[(?:(?!!\\[)[^\\]\\n])*\\]\\(<?image:${name}\\b[^)\\n]{0,300}\\)\\n{0,2}`,
  ).exec(text)
  if (found === null) return undefined
  const { index: from } = found
  return { from, to: from + found[0].length, insert: '', start: from, end: from }
}

/** Text and its selection, as positions of characters. */
export interface TextSelection {
  text: string
  start: number
  end: number
}

/** Placeholder words for an empty selection, which the user replaces by typing. */
export interface ToolWords {
  text: string
  link: string
  column: string
  cell: string
}

/**
 * Returns the edit of a tool at the selection. Used again on text within one line, a tool removes its Markdown,
 * except for tables and links.
 * @param words placeholders for an empty selection, which are selected so that the user can replace them
 */
export function editOf(tool: Tool, chosen: TextSelection, words: ToolWords): Edit {
  switch (tool) {
    case 'bold':
      return around('**', chosen, words.text)
    case 'italic':
      return around('*', chosen, words.text)
    case 'strike':
      return around('~~', chosen, words.text)
    case 'code':
      return around('`', chosen, words.text)
    case 'heading':
      return before(/^#{1,6} /, () => '## ', chosen)
    case 'list':
      return before(/^[-*+] /, () => '- ', chosen)
    case 'numbers':
      return before(/^\d+\. /, (index) => `${index + 1}. `, chosen)
    case 'quote':
      return before(/^> ?/, () => '> ', chosen)
    case 'table':
      return table(chosen, words)
    case 'link':
      return link(chosen, words)
  }
}

/**
 * Returns the edit that puts signs around the selected words. If the words are within one line and have the signs
 * already, it removes them. Several lines get signs line by line, because Markdown allows no emphasis that ends
 * with a blank or spans lines. An empty selection gets the placeholder `word`.
 */
function around(sign: '*' | '**' | '~~' | '`', { text, start, end }: TextSelection, word: string): Edit {
  const long = sign.length
  const chosen = text.slice(start, end)
  if (chosen.trim() === '') {
    return {
      from: end,
      to: end,
      insert: sign + word + sign,
      start: end + long,
      end: end + long + word.length,
    }
  }
  if (chosen.includes('\n')) {
    const insert = chosen.replaceAll(/\S.*/g, (words) => {
      const kept = words.trimEnd()
      return sign + kept + sign + words.slice(kept.length)
    })
    return { from: start, to: end, insert, start, end: start + insert.length }
  }
  const [mark = ''] = sign
  // Blanks and signs at the ends are not part of the words.
  const isEdge = (at: number) => text[at] === mark || /\s/.test(text[at] ?? '')
  let [from, to] = [start, end]
  while (from < to && isEdge(from)) from += 1
  while (to > from && isEdge(to - 1)) to -= 1
  if (from >= to) return { from: end, to: end, insert: '', start, end }
  const words = text.slice(from, to)
  let signs = 0
  while (text[from - 1 - signs] === mark && text[to + signs] === mark) signs += 1
  // Three asterisks are both bold and italic.
  const has = sign === '*' ? signs % 2 === 1 : signs >= long
  return has
    ? { from: from - long, to: to + long, insert: words, start: from - long, end: to - long }
    : { from, to, insert: sign + words + sign, start: from + long, end: to + long }
}

/**
 * Returns the edit that puts a marker at the start of each line of the selection, or removes it if all of them
 * have it. Another marker that `has` matches is replaced.
 * @param has matches a marker at the start of a line
 * @param signOf returns the marker for the line of this index in the selection
 */
function before(has: RegExp, signOf: (index: number) => string, { text, start, end }: TextSelection): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', Math.max(end - (end > start ? 1 : 0), from))
  const to = next === -1 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const allHave = lines.every((line) => has.test(line))
  const bare = lines.map((line) => line.replace(has, ''))
  const insert = (allHave ? bare : bare.map((line, index) => signOf(index) + line)).join('\n')
  const isOneLine = lines.length === 1
  return { from, to, insert, start: isOneLine ? from + insert.length : from, end: from + insert.length }
}

/**
 * Returns the edit that replaces the selection by a table of two columns and one row, on lines of its own. Selects
 * its first heading.
 */
function table({ text, start, end }: TextSelection, { column, cell }: ToolWords): Edit {
  const lines = [`| ${column} 1 | ${column} 2 |`, '| --- | --- |', `| ${cell} | ${cell} |`]
  const lead = blankLinesTo(text.slice(0, start))
  const insert = `${lead}${lines.join('\n')}\n${text.slice(end).startsWith('\n') ? '' : '\n'}`
  const at = start + lead.length + '| '.length
  return { from: start, to: end, insert, start: at, end: at + `${column} 1`.length }
}

/**
 * Returns the line breaks that must follow a text so that a new block begins after a blank line: '', one or two.
 * An empty text needs none.
 */
function blankLinesTo(textBefore: string): string {
  if (textBefore === '' || textBefore.endsWith('\n\n')) return ''
  return textBefore.endsWith('\n') ? '\n' : '\n\n'
}

/**
 * Returns the edit that makes a link with the selection as its text or as its URL. Selects the missing half, so that
 * the user can type it.
 */
function link({ text, start, end }: TextSelection, words: ToolWords): Edit {
  const chosen = text.slice(start, end)
  const isAddress = /^https?:\/\/\S+$/.test(chosen)
  const name = isAddress || chosen === '' ? words.link : chosen
  const address = isAddress ? chosen : 'https://'
  const insert = `[${name}](${address})`
  const at = isAddress ? start + 1 : start + `[${name}](`.length
  return { from: start, to: end, insert, start: at, end: at + (isAddress ? name : address).length }
}
