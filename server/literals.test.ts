import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseSync, Visitor } from 'vite'

/* Rejects literals of SQL that are assembled by hand: a value belongs into a parameter, an array too. */

const ROOT = join(import.meta.dirname, '..')

/** Calls of `sql.raw` and `sql.lit` whose argument is no constant, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/db/list.ts page.perPage': 'a number that the schema checked',
  'server/db/migrate.ts step.sql': 'a migration',
  "server/db/serving-role.ts `${kind} ${alike.map(({ name }) => name).join(', ')}`":
    'names that PostgreSQL quoted',
  'server/db/serving-role.ts name': 'constants',
  'server/db/serving-role.ts privileges': 'constants',
  'server/db/administers.ts name': 'constants',
  "server/domains/account/sessions.ts liveSession('s', limits.absoluteSeconds, limits.idleSeconds)":
    'numbers',
  "server/domains/account/sessions.ts liveSession('sessions', limits.absoluteSeconds, limits.idleSeconds)":
    'numbers',
  'server/domains/audit/inspections/search.ts high': 'a number of the database',
  'server/domains/audit/inspections/search.ts low': 'a number of the database',
  'server/domains/audit/inspections/search.ts month': 'a day of the server',
  'server/domains/keys/key-page.ts direction': 'asc or desc',
  'server/domains/notifications/queries.ts kind': 'a constant',
  'server/records/notifications.ts usualMail(kind)': 'a constant',
  'server/records/notifications.ts kind': 'a constant',
}

/** A constant, a property of it, or a text in the code. */
const IS_CONSTANT = / ([A-Z][A-Z_]*(\.\w+)?( [-+] 1)?|'[^']*'|`[^`$]*`|[^?]* \? '[^']*' : '[^']*')$/

const visits = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$|\/test-kit\/|\/cli\/test\//.test(file))
  .map(literalsIn)

it('inserts only constants into SQL, but for the listed exceptions', () => {
  const inserted = visits.flatMap(({ calls }) => calls)
  expect(inserted.length).toBeGreaterThan(50)
  const others = new Set(inserted.filter((each) => !IS_CONSTANT.test(each)))
  expect([...others].toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted())
})

it('rejects array literals that are assembled by hand', () => {
  expect(visits.flatMap(({ arrays }) => arrays)).toEqual([])
})

/** Returns the arguments of `sql.raw` and `sql.lit` in a file, and its texts that put a value between braces. */
function literalsIn(file: string): { calls: string[]; arrays: string[] } {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  const calls: string[] = []
  const arrays: string[] = []
  new Visitor({
    CallExpression({ callee, arguments: [argument] }) {
      if (argument === undefined || !/^sql\.(raw|lit)$/.test(textOf(callee))) return
      calls.push(`${file} ${textOf(argument).replaceAll(/\s+/g, ' ')}`)
    },
    TemplateLiteral(node) {
      if (node.quasis.slice(0, -1).some(({ value }) => /(^|['"])\{$/.test(value.raw)))
        arrays.push(`${file} ${textOf(node)}`)
    },
    BinaryExpression(node) {
      if (/^['"`]\{['"`] \+|\+ ['"`]\}['"`]$/.test(textOf(node))) arrays.push(`${file} ${textOf(node)}`)
    },
  }).visit(program)
  return { calls, arrays }
}
