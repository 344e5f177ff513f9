-- Counts per cell and day had nearly as many rows as there are keys, so they are replaced by the index on issued_keys
-- (cell_id, issued_at). The totals of all keys become rows of key_totals (design/keys#counts-of-keys).
-- The lock makes a server of the previous version wait, which would otherwise write keys that the new totals miss.
lock table issued_keys in share row exclusive mode;
alter table key_totals rename to key_day_totals;
create table key_totals (
  affiliation_code text not null,
  province_name text collate "C" not null,
  day date not null,
  n integer not null
);
comment on table key_totals is 'Number of keys by affiliation, province and day. Rows with both empty count all keys of a day.';
insert into key_totals
  select affiliation_code, province_name, day, sum(n) from key_region_totals group by 1, 2, 3 having sum(n) <> 0
  union all select '', '', day, sum(n) from key_day_totals group by day having sum(n) <> 0
  order by 1, 2, 3;
drop table key_day_totals, key_region_totals;
create index key_totals_affiliation on key_totals (affiliation_code, province_name, day) include (n);
create index key_totals_province on key_totals (province_name, day) include (n);

create or replace function key_counts() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select affiliation_code, province_name, cell_id, user_id, issued_on, 1 as d from new_keys'
    when 'DELETE' then 'select affiliation_code, province_name, cell_id, user_id, issued_on, -1 as d from old_keys'
    else 'select affiliation_code, province_name, cell_id, user_id, issued_on, 1 as d from new_keys
      union all select affiliation_code, province_name, cell_id, user_id, issued_on, -1 as d from old_keys' end;
begin
  execute format('insert into key_months as t (month, cell_id, n)
    select date_trunc(''month'', issued_on::timestamp)::date, cell_id, sum(d) from (%s) as k group by 1, 2
      having sum(d) <> 0 order by 1, 2
    on conflict (month, cell_id) do update set n = t.n + excluded.n', changed);
  execute format('insert into key_user_totals as t (user_id, n)
    select user_id, sum(d) from (%s) as k group by 1 having sum(d) <> 0 order by 1
    on conflict (user_id) do update set n = t.n + excluded.n', changed);
  execute format('insert into key_totals
    select coalesce(affiliation_code, ''''), coalesce(province_name, ''''), issued_on, sum(d) from (%s) as k
    group by grouping sets ((affiliation_code, province_name, issued_on), (issued_on)) having sum(d) <> 0', changed);
  return null;
end $$;

drop table key_days;
