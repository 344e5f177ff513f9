import MarkdownIt, { type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { MARKDOWN } from '../../../../contract/notices/markdown.ts'

/**
 * Markdown parser of notices. Without the plugin, bold text that ends with a bracket would not close before a Korean
 * particle.
 */
export const markdown = new MarkdownIt(MARKDOWN).use(cjkFriendly)

/** Token of the parser with its children, instead of opening and closing tokens. */
export interface Part {
  token: Token
  parts: Part[]
}

/** Returns the flat tokens of the parser as a tree, without the closing tokens. */
export function treeOf(tokens: readonly Token[]): Part[] {
  const root: Part[] = []
  const open = [root]
  for (const token of tokens) {
    if (token.nesting === -1) {
      open.pop()
      continue
    }
    const part = { token, parts: treeOf(token.children ?? []) }
    open.at(-1)?.push(part)
    if (token.nesting === 1) open.push(part.parts)
  }
  return root
}

/** Returns an attribute of a token; '' if it has none. */
export const attribute = (token: Token, name: string) => String(token.attrGet(name) ?? '')

/** Returns the alignment of a table cell; undefined if it has none. */
export const alignOf = (token: Token) => /\b(?:left|center|right)\b/.exec(attribute(token, 'style'))?.[0]
