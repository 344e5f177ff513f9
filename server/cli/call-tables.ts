import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { definitionOf, fieldsOf, ownNameIn, wireNames } from '../../contract/wire.ts'
import { whoMay } from './permissions/table.ts'

/** Folder of the pages with the rules. */
const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'rules')

/** Pages of calls that are not on the page of their domain. */
const PAGE_OF: Record<string, string> = {
  changeSharing: 'colleagues',
  getColleague: 'colleagues',
  getSharing: 'colleagues',
  listColleagues: 'colleagues',
  exportOwnData: 'retention',
  getErasure: 'retention',
  getRetention: 'retention',
  listErasures: 'retention',
  updateRetention: 'retention',
}

/** Page of the names that several pages use, and of the calls of every screen. */
const SHARED = 'wire'

/** Calls by path, each with the page of docs/rules that lists it. */
const calls = endpoints
  .map(({ domain, name, endpoint }) => ({
    page: PAGE_OF[name] ?? (domain === 'common' ? SHARED : domain),
    endpoint,
  }))
  .toSorted((a, b) => (a.endpoint.path < b.endpoint.path ? -1 : 1))

/**
 * Returns the fields of a schema by their wire names, as a table shows them: optional ones with `?`, nested ones in brackets; ''
 * for a schema without fields.
 */
function fieldsInWords(call: Endpoint, schema: z.ZodMiniType): string {
  const { shape, innerType, element } = definitionOf(schema)
  if (shape === undefined) {
    const inner = innerType ?? element
    return inner === undefined ? '' : fieldsInWords(call, inner)
  }
  const names = wireNames(call)
  return Object.entries(shape)
    .map(([name, field]) => {
      const optional = ['optional', 'default'].includes(definitionOf(field).type) ? '?' : ''
      const inner = fieldsInWords(call, field)
      const nested = inner && (names.isArray(name) ? ` […: ${inner}]` : ` {${inner}}`)
      return `\`${names.toWire(name)}\`${optional}${nested}`
    })
    .join(', ')
}

/** Returns the output of a call as a table shows it. */
function answerInWords(call: Endpoint): string {
  if (call.answer === 'file') return 'the file, raw'
  const fields = fieldsInWords(call, call.output) || '–'
  const isBareList = definitionOf(call.output).type === 'array'
  return `${isBareList ? 'the list itself: ' : ''}${fields}${call.message === undefined ? '' : ', `msg`'}`
}

/** Returns a row of a Markdown table. */
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
/** Returns the lines of a Markdown table. */
const table = (head: readonly string[], rows: readonly string[]) => [
  line(head),
  `|${'---|'.repeat(head.length)}`,
  ...rows,
]

/** Column heads of a table of calls. */
const CALL_HEAD = ['call', 'who', 'asks', 'answers']

/** Returns the table of calls of a page, as lines of Markdown: path with summary, callers, input and output. */
function createCallTable(page: string): string[] {
  const own = calls.filter((call) => call.page === page)
  return table(
    CALL_HEAD,
    own.map(({ endpoint }) => {
      const asks = fieldsInWords(endpoint, endpoint.input)
      return line([
        `\`${endpoint.path}\` ${endpoint.summary}`,
        whoMay(endpoint),
        asks || '–',
        answerInWords(endpoint),
      ])
    }),
  )
}

/** Column heads of a table of names. */
const NAME_HEAD = ['wire name', 'name in the code', 'only in', 'Korean', 'meaning']

/**
 * Returns, for each pair of a wire name and a name in the code, the pages of docs/rules whose calls in the contract have
 * it. The key is the pair's two cells in the table of names, as in "`USER_ID` | `userId`".
 */
function pagesByName(): Map<string, Set<string>> {
  const pages = new Map<string, Set<string>>()
  for (const { page, endpoint } of calls) {
    const fields = [endpoint.input, endpoint.output].flatMap((schema) => fieldsOf(schema))
    // The bytes of a file belong to a form, not to a schema.
    const names = [...fields.map(({ name }) => name), ...(endpoint.body === 'multipart' ? ['file'] : [])]
    for (const name of names) {
      const pair = `\`${wireNames(endpoint).toWire(name)}\` | \`${name}\``
      pages.set(pair, (pages.get(pair) ?? new Set()).add(page))
    }
  }
  return pages
}

/**
 * Returns the table of names of a page, as lines of Markdown. It has a row for each pair of a wire name and a name in the code
 * that only this page uses. Pairs that several pages use are on the page `wire`.
 * @param page name of a file in docs/rules, without `.md`
 * @param pagesOf pages that use each pair, as `pagesByName` returns them
 * @param meanings cells with Korean name and meaning of each pair, from the current pages; a new pair gets empty cells
 */
function createNameTable(
  page: string,
  pagesOf: Map<string, Set<string>>,
  meanings: Map<string, string>,
): string[] {
  const pairs = [...pagesOf].filter(([, pages]) => page === (pages.size === 1 ? [...pages][0] : SHARED))
  const rows = pairs.map(([pair]) => {
    const [wireName = '', name = ''] = Array.from(pair.matchAll(/`(\w+)`/g), ([, text = '']) => text)
    return line([pair, ownNameIn(name, wireName).join(', '), meanings.get(pair) ?? ' | '])
  })
  return table(NAME_HEAD, rows.toSorted())
}

/** Returns a page in which the table with this head is replaced; a page without such a table stays as it is. */
function replaceTable(text: string, head: readonly string[], lines: readonly string[]): string {
  const all = text.split('\n')
  const start = all.indexOf(line(head))
  if (start < 0) return text
  const length = all.slice(start).findIndex((each) => !each.startsWith('|'))
  return all.toSpliced(start, length < 0 ? all.length : length, ...lines).join('\n')
}

/**
 * Returns every page in docs/rules with its tables of calls and names created from the contract. Writes no file. Takes the Korean
 * name and the meaning of a name from the current pages; a new name has empty cells.
 * @returns the new text of each page by its path
 */
export function rulesPages(): Map<string, string> {
  const texts = new Map(
    readdirSync(FOLDER).map((file) => [join(FOLDER, file), readFileSync(join(FOLDER, file), 'utf8')]),
  )
  const meanings = new Map(
    [...texts.values()].flatMap((text) =>
      [...text.matchAll(/^\| (`[A-Z][A-Z0-9_]*` \| `\w+`) \| [^|]* \| (.*) \|$/gm)].map(
        ([, pair = '', meaning = '']): [string, string] => [pair, meaning],
      ),
    ),
  )
  const pagesOf = pagesByName()
  return new Map(
    [...texts].map(([path, text]) => {
      const page = basename(path, '.md')
      const withCalls = replaceTable(text, CALL_HEAD, createCallTable(page))
      return [path, replaceTable(withCalls, NAME_HEAD, createNameTable(page, pagesOf, meanings))]
    }),
  )
}
