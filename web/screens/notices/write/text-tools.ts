/** What the toolbar of a text does, in its order. */
export const TOOLS = ['bold', 'italic', 'heading', 'list', 'numbers', 'quote', 'table', 'link'] as const

/** One of `TOOLS`. */
export type Tool = (typeof TOOLS)[number]

/** What stands on the toolbar: the tools, and what chooses pictures. */
export const TOOL_BUTTONS = [...TOOLS, 'picture'] as const

/** One of `TOOL_BUTTONS`. */
export type ToolButton = (typeof TOOL_BUTTONS)[number]

/** The signs of pictures in lines of their own; the words of a single one are chosen where they are to be typed over. */
export function picturesEdit(
  { text, start, end }: Chosen,
  pictures: readonly { words: string; name: string }[],
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

/** Takes a picture out of a text; undefined where it is not in it. */
export function withoutPicture(text: string, name: string): Edit | undefined {
  const found = new RegExp(
    `!\\[(?:(?!!\\[)[^\\]\\n])*\\]\\(<?image:${name}\\b[^)\\n]{0,300}\\)\\n{0,2}`,
  ).exec(text)
  if (found === null) return undefined
  const { index: from } = found
  return { from, to: from + found[0].length, insert: '', start: from, end: from }
}

/** A text and what is chosen of it. */
export interface Chosen {
  text: string
  start: number
  end: number
}

/** What is put in place of a part of a text, and what is chosen afterwards. */
export interface Edit {
  from: number
  to: number
  insert: string
  start: number
  end: number
}

/** The words that stand where nothing was chosen, for the person to type over. */
export interface ToolWords {
  text: string
  link: string
  column: string
  cell: string
}

/** What a tool changes; pressed again over the same, it takes its signs away. */
export function editOf(tool: Tool, chosen: Chosen, words: ToolWords): Edit {
  switch (tool) {
    case 'bold':
      return around('**', chosen, words.text)
    case 'italic':
      return around('*', chosen, words.text)
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

/** Stars around the words that are chosen, line by line: none of them may end with a blank or go beyond its line. */
function around(sign: '*' | '**', { text, start, end }: Chosen, word: string): Edit {
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
  // Blanks and stars at its ends are not of the words.
  const from = start + (/^[\s*]*/.exec(chosen)?.[0].length ?? 0)
  const to = end - (/(?<![\s*])[\s*]*$/.exec(chosen)?.[0].length ?? 0)
  if (from >= to) return { from: end, to: end, insert: '', start, end }
  const words = text.slice(from, to)
  const stars = Math.min(
    /(?<!\*)\**$/.exec(text.slice(0, from))?.[0].length ?? 0,
    /^\**/.exec(text.slice(to))?.[0].length ?? 0,
  )
  // Three of them are both.
  const has = sign === '**' ? stars >= 2 : stars % 2 === 1
  return has
    ? { from: from - long, to: to + long, insert: words, start: from - long, end: to - long }
    : { from, to, insert: sign + words + sign, start: from + long, end: to + long }
}

/** A sign at the beginning of each line that is touched; taken away where all have it. */
function before(has: RegExp, signOf: (index: number) => string, { text, start, end }: Chosen): Edit {
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

/** A small table in lines of its own, its first heading chosen. */
function table({ text, start, end }: Chosen, { column, cell }: ToolWords): Edit {
  const lines = [`| ${column} 1 | ${column} 2 |`, '| --- | --- |', `| ${cell} | ${cell} |`]
  const lead = blankLinesTo(text.slice(0, start))
  const insert = `${lead}${lines.join('\n')}\n${text.slice(end).startsWith('\n') ? '' : '\n'}`
  const at = start + lead.length + '| '.length
  return { from: start, to: end, insert, start: at, end: at + `${column} 1`.length }
}

/** What has to come before a part that stands for itself. */
function blankLinesTo(lead: string): string {
  if (lead === '' || lead.endsWith('\n\n')) return ''
  return lead.endsWith('\n') ? '\n' : '\n\n'
}

/** A link with what is chosen as its words, or as its address; the other one is chosen then, to be typed. */
function link({ text, start, end }: Chosen, words: ToolWords): Edit {
  const chosen = text.slice(start, end)
  const isAddress = /^https?:\/\/\S+$/.test(chosen)
  const name = isAddress || chosen === '' ? words.link : chosen
  const address = isAddress ? chosen : 'https://'
  const insert = `[${name}](${address})`
  const at = isAddress ? start + 1 : start + `[${name}](`.length
  return { from: start, to: end, insert, start: at, end: at + (isAddress ? name : address).length }
}
