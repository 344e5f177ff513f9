import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createOwnDatabase } from '../../dev/test-kit/own-database.ts'

const MODULES = resolve(import.meta.dirname, '../../node_modules')

/** What `pg` gives for a column of this type. */
const JAVASCRIPT: Record<string, string> = {
  bigint: 'string',
  boolean: 'boolean',
  // Every array is one of texts.
  ARRAY: 'string[]',
  bytea: 'Buffer',
  'character varying': 'string',
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  jsonb: 'unknown',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
}
/** Columns that a trigger fills where an insert leaves them out. */
const FILLED_BY_TRIGGER = ['issued_keys.cell_id', 'notices.published_at', 'users.confirmed_at']

// Every "table.column" that the types have otherwise than the schema: absent in one of the two, of another type, null
// in one of the two, or left out of an insert though the database has nothing to put there.
const COMPARISON = `
type Rows<T extends keyof Database> = Selectable<Database[T]>
type Optional<R> = { [C in keyof R]-?: {} extends Pick<R, C> ? C : never }[keyof R]
type IsRight<T extends keyof Database & keyof Schema, C> =
  C extends keyof Rows<T> & keyof Schema[T]['select']
    ? Rows<T>[C] extends Schema[T]['select'][C]
      ? null extends Rows<T>[C] ? null extends Schema[T]['select'][C] ? true : false
        : null extends Schema[T]['select'][C] ? unknown extends Schema[T]['select'][C] ? true : false
        : C extends Optional<Insertable<Database[T]>> ? C extends Schema[T]['mayBeLeftOut'] ? true : false
        : true
      : false
    : false
type Wrong = {
  [T in keyof Database & keyof Schema]: {
    [C in (keyof Rows<T> | keyof Schema[T]['select']) & string]: IsRight<T, C> extends true ? never : \`\${T}.\${C}\`
  }[(keyof Rows<T> | keyof Schema[T]['select']) & string]
}[keyof Database & keyof Schema]
export const wrongColumns: Record<Wrong, never> = {}
export const wrongTables: Record<Exclude<keyof Database, keyof Schema> | Exclude<keyof Schema, keyof Database>, never> = {}
`

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
  filled: boolean
}

async function readColumns(): Promise<Column[]> {
  const own = await createOwnDatabase()
  // Who does not own a table is not told of its defaults.
  const { rows } = await own.owner.query<Column>(
    `select table_name as table, column_name as column, data_type as type, is_nullable = 'YES' as nullable,
       column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as filled
     from information_schema.columns
     where table_schema = current_schema() and table_name not in ('migrations', 'migrations_lock')`,
  )
  await own.drop()
  return rows
}

function interfaceOf(columns: readonly Column[]): string {
  const tables = Map.groupBy(columns, ({ table }) => table)
  const members = [...tables].map(([table, its]) => {
    const select = its.map(
      ({ column, type, nullable }) => `${column}: ${JAVASCRIPT[type]}${nullable ? ' | null' : ''}`,
    )
    const mayBeLeftOut = its
      .filter((each) => each.nullable || each.filled || FILLED_BY_TRIGGER.includes(`${table}.${each.column}`))
      .map(({ column }) => `'${column}'`)
    return `${table}: { select: { ${select.join('; ')} }; mayBeLeftOut: ${mayBeLeftOut.join(' | ') || 'never'} }`
  })
  return `interface Schema {\n${members.join('\n')}\n}\n`
}

test('the types of the tables match the schema', async () => {
  const columns = await readColumns()
  expect(columns.filter(({ type }) => JAVASCRIPT[type] === undefined)).toEqual([])
  const folder = mkdtempSync(join(tmpdir(), 'maru-types-'))
  try {
    const file = join(folder, 'compare.ts')
    writeFileSync(
      file,
      `import type { Insertable, Selectable } from '${fileURLToPath(import.meta.resolve('kysely'))}'
import type { Database } from '${join(import.meta.dirname, 'types.ts')}'
${interfaceOf(columns)}${COMPARISON}`,
    )
    const options =
      '--ignoreConfig --noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --types node'
    expect(compile([file, ...options.split(' '), '--typeRoots', join(MODULES, '@types')])).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** @returns what the compiler objects to */
function compile(args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [join(MODULES, 'typescript/bin/tsc'), ...args], {
      encoding: 'utf8',
    })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
