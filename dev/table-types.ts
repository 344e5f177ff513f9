import type pg from 'pg'
import { format, resolveConfig } from 'prettier'

/** Type that `pg` returns for a column of a type in the database. */
const JAVASCRIPT: Readonly<Record<string, string>> = {
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

/** Columns whose type is narrower than that of the database. */
const NARROWER: Readonly<Record<string, string>> = {
  'erasures.kind': 'RetentionKind',
  'erasures.method': 'ErasureMethod',
  'functions.name': 'FunctionName',
  'inspection_findings.rule': 'InspectionRule',
  'rights_review_items.functions': 'FunctionName[]',
  'role_functions.function_name': 'FunctionName',
  'settings.grant_reasons': 'GrantReasons',
  'settings.name_search': 'NameSearch',
  'settings.profile_editors': 'ProfileEditors',
  'settings.session_binding': 'SessionBinding',
  'settings.validity_end': 'ValidityEnd',
}

/** JSON that is read as a type. */
const JSON_TYPES: Readonly<Record<string, string>> = {
  'notification_states.mail': 'Record<string, MailChoice>',
}

/** Columns that a trigger fills if an insert omits them. */
const FILLED_BY_TRIGGER = ['issued_keys.cell_id', 'notices.published_at', 'users.confirmed_at']

/** Columns that only a trigger writes. */
const WRITTEN_BY_TRIGGER = ['users.was_approved']

const HEADER = `// Written by \`npm run tables\` from a migrated database. Do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { InspectionRule } from '../../contract/audit/inspections.ts'
import type { MailChoice } from '../../contract/notifications/kinds.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import type { ErasureMethod, RetentionKind } from '../../contract/settings/retention.ts'
import type { GrantReasons, NameSearch, ProfileEditors, SessionBinding, ValidityEnd } from '../../contract/settings/security.ts'

/** Column that may be null. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** Time that a statement may write as text. */
type Time = ColumnType<Date, Date | string, Date | string>
/** Time that the database sets if an insert states none. */
type GeneratedTime = ColumnType<Date, Date | string | undefined, Date | string>
/** Time that may be null. */
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON, which a statement writes as text. */
type Json<T> = ColumnType<T, string, string>
/** JSON that the database sets if an insert states none. */
type GeneratedJson<T> = ColumnType<T, string | undefined, string>
/** JSON that may be null. */
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
`

/** Column of a table. `isFilled` is true if the database fills it on insert, and `isAlways` if nothing else may. */
interface Column {
  table: string
  column: string
  type: string
  isNullable: boolean
  isFilled: boolean
  isAlways: boolean
  /** Definition of a CHECK constraint of this column alone. */
  check: string | null
}

/**
 * Returns the formatted source of the table types (server/db/types.ts), read from a migrated database. Writes no file.
 * @param owner pool of the owner of the tables; another role does not see their defaults
 * @param file path whose format it gets
 */
export async function tableTypes(owner: pg.Pool, file: string): Promise<string> {
  const { rows } = await owner.query<Column>(
    `select c.table_name as table, c.column_name as column, c.data_type as type, c.is_nullable = 'YES' as "isNullable",
       c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as "isFilled",
       c.identity_generation = 'ALWAYS' or c.is_generated = 'ALWAYS' as "isAlways",
       (select pg_get_constraintdef(k.oid) from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid
         where k.contype = 'c' and k.conrelid = to_regclass(quote_ident(c.table_name)) and k.conkey = array[a.attnum]
           and a.attname = c.column_name and pg_get_constraintdef(k.oid) like '% = ANY (ARRAY[''%'
         order by k.conname limit 1) as check
     from information_schema.columns c
     where c.table_schema = current_schema() and c.table_name not in ('migrations', 'migrations_lock')
       and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(c.table_name)))
     order by c.table_name collate "C", c.ordinal_position`,
  )
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(
    ([table, columns]) =>
      `${toName(table)}: { ${columns.map((column) => `${toName(column.column)}: ${typeOf(column)}`).join('\n')} }`,
  )
  const source = `${HEADER}\n/** The tables that the migrations create. */\nexport interface Database {\n${tables.join('\n')}\n}\n`
  return format(source, { ...(await resolveConfig(file)), filepath: file })
}

/** Returns the name in code of a table or column. */
const toName = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Returns the type of a column.
 * @throws {Error} if JAVASCRIPT lacks the type of the database
 */
function typeOf({ table, column, type, isNullable, isFilled, isAlways, check }: Column): string {
  const key = `${table}.${column}`
  const plain = NARROWER[key] ?? unionOf(check) ?? JAVASCRIPT[type]
  if (plain === undefined) throw new Error(`${key} has the type ${type}, which JAVASCRIPT lacks.`)
  const isGenerated = isFilled || FILLED_BY_TRIGGER.includes(key)
  const prefix = isNullable ? 'Nullable' : isGenerated ? 'Generated' : ''
  if (type === 'jsonb') return `${prefix}Json<${JSON_TYPES[key] ?? plain}>`
  if (isAlways || WRITTEN_BY_TRIGGER.includes(key))
    return `GeneratedAlways<${isNullable ? `${plain} | null` : plain}>`
  if (plain === 'Date') return `${prefix}Time`
  return prefix === '' ? plain : `${prefix}<${plain}>`
}

/** Returns the union of the texts that a CHECK constraint allows; undefined for another constraint. */
function unionOf(check: string | null): string | undefined {
  const list = check && /^CHECK \(\(\w+ = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(check)?.[1]
  return list ? [...list.matchAll(/('[^']*')::/g)].map((match) => match[1]).join(' | ') : undefined
}
