import MarkdownIt, { type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { MARKDOWN } from '../../../contract/notices/markdown.ts'
import { MEMO_FORMAT, picturesIn, withoutPictures, type MemoFormat } from '../../../contract/notices.ts'

/**
 * Markdown parser of the server, as that of the notice page. Without the plugin, bold text that ends with a bracket
 * would not end before a Korean particle.
 */
const markdown = new MarkdownIt(MARKDOWN).use(cjkFriendly)

/**
 * Number of Markdown signs and line breaks above which a text is not parsed: ten times as many as the longest text
 * needs. 100,000 brackets would block all other calls for a quarter of a second.
 */
const MOST_SIGNS = 8_000
/**
 * Number of table cells above which a text is not parsed. The parser completes every row to the width of the
 * table's head.
 */
const MOST_CELLS = 30_000
/** Matches the characters that are counted for MOST_SIGNS. */
const SIGNS = /[*_~`[\]!<>&|\\\n]/g

/**
 * Returns the columns for the body of a notice: the text as typed, its format, and `memoText`, its words without
 * Markdown signs, in which the search looks (rules/notices#text-of-a-notice). The words are null for plain text:
 * then the search looks in the text itself. Markdown that is too slow to parse keeps its signs and loses only
 * image addresses, or has null if it has none.
 */
export function writtenMemo(memo: string | null, format: MemoFormat) {
  const isMarkdown = memo !== null && format === MEMO_FORMAT.markdown
  if (!isMarkdown) return { memo, memoFormat: format, memoText: null }
  // A text that consists of Markdown signs only is found by its signs.
  const words = isSlowToParse(memo) ? withoutNames(memo) : withoutSigns(memo)
  return { memo, memoFormat: format, memoText: words }
}

/** Returns whether a Markdown text has more than MOST_SIGNS signs, or could have more than MOST_CELLS table cells. */
function isSlowToParse(memo: string): boolean {
  if ((memo.match(SIGNS)?.length ?? 0) > MOST_SIGNS) return true
  const lines = memo.split('\n')
  return lines.length * Math.max(...lines.map((line) => line.split('|').length)) > MOST_CELLS
}

/** Returns a text without its image addresses; null if it has no image. */
const withoutNames = (memo: string) => (picturesIn(memo).length > 0 ? withoutPictures(memo) : null)

/** Returns the words of a Markdown text: one line for each line and block, with the cells of a table on one line. */
export function withoutSigns(text: string): string {
  return markdown
    .parse(text, {})
    .map(wordsOf)
    .join('')
    .replaceAll(/(?<![ \t])[ \t]*\n\s*/g, '\n')
    .trim()
}

/**
 * Returns the words of a token of the Markdown parser: its text, a line break after a block, or a blank after a
 * table cell.
 */
function wordsOf(token: Token): string {
  switch (token.type) {
    case 'text':
    case 'code_inline':
    case 'code_block':
    case 'fence':
      return token.content
    case 'inline':
    case 'image':
      return (token.children ?? []).map(wordsOf).join('')
    case 'softbreak':
    case 'hardbreak':
      return '\n'
    case 'td_close':
    case 'th_close':
      return ' '
    default:
      return token.block && token.nesting < 1 ? '\n' : ''
  }
}
