import type pg from 'pg'
import copy from 'pg-copy-streams'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'

/** A table whose rows are copied: its columns in order, without computed ones. */
export const tableShape = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Partitions of a table: the name of each, and the rows that it takes, in SQL. */
  partitions: z.optional(z.array(z.object({ name: z.string(), bound: z.string() }))),
})

/** Shape of a table in a backup; see `tableShape`. */
export type TableShape = z.infer<typeof tableShape>

/** State of a sequence; null if no value was taken from it. */
export const sequenceState = z.object({ name: z.string(), last: z.nullable(z.string()) })

/** State of a sequence in a backup: its name, and the last value taken from it. */
export type SequenceState = z.infer<typeof sequenceState>

/** Tables whose rows are not copied, because the migrations write them themselves. */
const NOT_COPIED = ['migrations', 'migrations_lock']

/**
 * Lists every table of Maru, without partitions and those of NOT_COPIED, from the database's catalog, so that a new table needs
 * no change here.
 */
export async function listTables(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
      (select json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname)
        from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid) as partitions
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname <> all ($1)
      group by c.oid, c.relname order by c.relname`,
    [NOT_COPIED],
  )
  return rows.map(({ partitions, ...table }) => (partitions ? { ...table, partitions } : table))
}

/** Returns the state of every sequence of Maru, by name. */
export async function listSequences(client: pg.ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query<SequenceState>(
    `select sequencename::text as name, last_value::text as last from pg_sequences
      where schemaname = current_schema() order by 1`,
  )
  return rows
}

/**
 * Streams the rows of a table in PostgreSQL's text format, which every version reads.
 * @param condition SQL condition for the rows to read
 * @returns a stream; `rowCount` is valid after its end
 */
export function rowsOf(
  client: pg.ClientBase,
  { name, columns }: TableShape,
  condition = 'true',
): Readable & { rowCount: number } {
  const list = columns.map(quoteName).join(', ')
  return client.query(copy.to(`copy (select ${list} from ${quoteName(name)} where ${condition}) to stdout`))
}

/**
 * Replaces the contents of tables in one transaction: either all new rows are there at the end or nothing has changed. Foreign
 * keys are dropped and created again, because no order of the tables would satisfy all keys. Triggers do not run, because the
 * rows already contain what they write. Requires the owner of the tables, but no superuser.
 * @param sequences values to set; those whose `last` is null are not changed
 * @param rows returns the rows of a table in the text format
 * @throws the error of the database, e.g. a broken foreign key
 */
export async function writeTables(
  client: pg.ClientBase,
  tables: readonly TableShape[],
  sequences: readonly SequenceState[],
  rows: (table: TableShape) => Readable | Promise<Readable>,
): Promise<void> {
  await client.query('begin')
  try {
    const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
      `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`,
    )
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
    const names = tables.map(({ name }) => quoteName(name))
    for (const name of names) await client.query(`alter table ${name} disable trigger user`)
    await client.query(`truncate ${names.join(', ')}`)
    for (const { name: whole, partitions = [] } of tables)
      for (const { name, bound } of partitions)
        await client.query(
          `create table if not exists ${quoteName(name)} partition of ${quoteName(whole)} ${bound}`,
        )
    for (const table of tables) await pipeline(await rows(table), openCopyInto(client, table))
    for (const { name, last } of sequences) {
      if (last !== null)
        await client.query('select setval($1::regclass, $2::bigint)', [quoteName(name), last])
    }
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  // Without it the database plans for empty tables until it analyzes them itself.
  await client.query('analyze')
}

/** Returns a stream that inserts the rows of a table in the text format. */
function openCopyInto(client: pg.ClientBase, { name, columns }: TableShape): Writable {
  return client.query(copy.from(`copy ${quoteName(name)} (${columns.map(quoteName).join(', ')}) from stdin`))
}

/** Returns a name of a table or column in quotes, for a statement. */
const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
