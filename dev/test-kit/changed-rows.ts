import type pg from 'pg'

/** Number of row changes by table. A table without changes is absent. */
export type ChangedRows = Record<string, number>

/**
 * Installs triggers by which the database records every row that is written, deleted or changed in any table except
 * `apart`. Ignored are rolled-back changes, the last use of a session, the access log with its counts, and refusals,
 * which are no longer written to the audit log.
 * @param pool pool of the owner of the tables
 * @returns a function that returns the changes since the installation, not since its last call
 */
export async function noteChangedRows(
  pool: pg.Pool,
  { apart }: { apart: readonly string[] },
): Promise<() => Promise<ChangedRows>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all ($1)
      and tablename not like 'access\\_%'`,
    [apart],
  )
  await pool.query(`
    create table changed_rows (table_name text not null);
    grant insert on changed_rows to public;
    create function note_changed_row() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'UPDATE' or to_jsonb(old) - 'last_used_at' <> to_jsonb(new) - 'last_used_at' then
        insert into changed_rows values (tg_table_name);
      end if;
      return null;
    end $$;`)
  await pool.query(`
    create function drop_row() returns trigger language plpgsql as 'begin return null; end';
    create trigger drop_refusals before insert on audit_log for each row
      when (new.action like 'refusal.%') execute function drop_row();`)
  for (const { name } of tables)
    await pool.query(
      `create trigger note_changed_rows after insert or update or delete on ${name}
       for each row execute function note_changed_row();
       create trigger note_truncation after truncate on ${name} execute function note_changed_row();`,
    )
  // Taken away as it is read: it is read after every call, and would be longer each time.
  const noted: ChangedRows = {}
  return async () => {
    const { rows } = await pool.query<{ name: string; n: number }>(
      `with taken as (delete from changed_rows returning table_name)
       select table_name as name, count(*)::int as n from taken group by 1`,
    )
    for (const { name, n } of rows) noted[name] = (noted[name] ?? 0) + n
    return { ...noted }
  }
}
