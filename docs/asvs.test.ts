import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const asvs = read('docs/asvs.md')

const STATUSES = ['met', 'not applicable', 'open']

/** How many requirements of the levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const PUBLISHED = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

/** Level 1 requirements in chapters that do not apply and have one line as a whole: V9, V10, V17. */
const LEVEL_1_ELSEWHERE = 4 + 5 + 0

const rows = [...asvs.matchAll(/^\| (\d[^|]*) \| (\d) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)].map(
  ([, id = '', level = '', topic = '', status = '', why = '']) => ({
    id,
    chapter: Number(id.split('.')[0]),
    level,
    topic,
    status,
    why,
  }),
)

const filesOf = (text: string) =>
  [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|json|md))`/g)].map(([, path = '']) => path)

describe('the requirements in docs/asvs.md', () => {
  test('have one of three statuses, and well-formed IDs, each once and in order', () => {
    expect(rows.filter(({ status }) => !STATUSES.includes(status))).toEqual([])
    expect(rows.filter(({ id, level }) => !/^\d+\.\d+\.\d+$/.test(id) || !/^[12]$/.test(level))).toEqual([])
    const ids = rows.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(ids.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    expect([...asvs.matchAll(/^\| \d/gm)]).toHaveLength(rows.length)
  })

  test('are as many as were published, 70 of level 1 and 183 of level 2', () => {
    expect(PUBLISHED.reduce((sum, count) => sum + count)).toBe(70 + 183)
    const here = PUBLISHED.map(
      (_, index) =>
        rows.filter(({ chapter }) => chapter === index + 1).length +
        Number(new RegExp(`^## V${index + 1} .*\\n\\nNot applicable, all (\\d+):`, 'm').exec(asvs)?.[1] ?? 0),
    )
    expect(here).toEqual(PUBLISHED)
    expect(rows.filter(({ level }) => level === '1')).toHaveLength(70 - LEVEL_1_ELSEWHERE)
  })

  test('name files that exist and titles that occur in them', () => {
    for (const { id, why } of rows) {
      const files = filesOf(why)
      expect.soft([id, files.filter((path) => !existsSync(join(ROOT, path)))]).toEqual([id, []])
      const titles = [...why.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)
      const told = files.map(read).join('\n')
      expect.soft([id, titles.filter((title) => !told.includes(title))]).toEqual([id, []])
    }
  })

  test('name a test, or a rule that has one, for each requirement that is met', () => {
    const unshown = rows.filter(
      ({ status, why }) =>
        status === 'met' &&
        !/\brules\/[a-z]+#/.test(why) &&
        !filesOf(why).some((path) => /\.(test|spec)\.ts$/.test(path)),
    )
    expect(unshown).toEqual([])
  })

  test('are counted by the summary', () => {
    const counts = PUBLISHED.map((published, index) => {
      const own = rows.filter(({ chapter }) => chapter === index + 1)
      if (own.length === 0) return [0, published, 0]
      return STATUSES.map((status) => own.filter((row) => row.status === status).length)
    })
    const total = STATUSES.map((_, column) => counts.reduce((sum, row) => sum + (row[column] ?? 0), 0))
    const lines = [...counts.map((row, index) => [`V${index + 1}`, ...row]), ['all', ...total]]
    const summary = [...asvs.matchAll(/^\| (V\d+|all) \| .*$/gm)].map(([line]) => line)
    expect(summary).toEqual(lines.map((cells) => `| ${cells.join(' | ')} |`))
  })
})

describe('what docs/asvs.md says of all files', () => {
  const sources = globSync('{server,web,contract}/**/*.{ts,tsx}', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.ts$|\/test-kit[/.]|^server\/(cli|db\/demo)\//.test(path))
    .map((path) => ({ path, text: read(path) }))
  const using = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

  test('names every file with cryptography in the inventory', () => {
    const [, inventory = ''] = /^## Cryptography\n([^]*?)^## /m.exec(read('SECURITY.md')) ?? []
    const users = using(/(?:from |import\()'(?:node:crypto|@noble\/[^']+|@simplewebauthn\/server)'/)
    // Names of requests, files and mails are no secrets.
    const secret = users.filter((path) => !/import \{ randomUUID \} from 'node:crypto'/.test(read(path)))
    expect(filesOf(inventory).toSorted()).toEqual(secret.toSorted())
  })

  test('finds no weak hash, cipher or generator in any file', () => {
    const named = sources.flatMap(({ text }) =>
      [...text.matchAll(/\bcreate(?:Hash|Hmac|Cipheriv|Decipheriv)\('([^']+)'/g)].map(([, name]) => name),
    )
    expect(new Set(named)).toEqual(new Set(['sha256', 'aes-256-cbc']))
    expect(using(/Math\.random/)).toEqual([])
  })

  test('finds no file that disables certificate checks, except to read an expiry', () => {
    expect(using(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/).toSorted()).toEqual([
      // Reads whether DATABASE_URL disables them, for the warning at the start.
      'server/db/database-url.ts',
      // Sends nothing over the connection.
      'server/services/tls-certificates.ts',
    ])
  })

  test('finds requests to other servers only in the guarded client', () => {
    const fetching = using(/\bfetch\(|^import (?!type\b).*from '(node:https?|node:http2|undici|axios|got)'/m)
    expect(fetching.filter((path) => path.startsWith('server/'))).toEqual(['server/services/outbound.ts'])
  })

  test('lets every field accept a pasted or autofilled password', () => {
    // A text that takes pictures.
    expect(using(/onPaste|['"]paste['"]/)).toEqual(['web/screens/notices/write/source-area.tsx'])
    const passwords = sources.filter(({ text }) => text.includes('type="password"'))
    expect(passwords.length).toBeGreaterThan(0)
    expect(
      passwords.filter(({ text }) => !/(current|new)-password/.test(text)).map(({ path }) => path),
    ).toEqual([])
  })
})
