-- How many keys there were on a day by affiliation and province: what the history and its charts are filtered by most. Summed by
-- partner and district they were 185,000 rows for a month (design/keys#counts-of-keys). Added up like `key_totals`.
-- A server of the version before that still runs waits: what it wrote meanwhile would be counted by nobody.
lock table issued_keys in share row exclusive mode;
create table key_region_totals (
  affiliation_code text not null,
  province_name text collate "C" not null,
  day date not null,
  n integer not null
);
insert into key_region_totals
  select c.affiliation_code, c.province_name, d.day, sum(d.n) from key_days d join key_cells c on c.id = d.cell_id
  group by 1, 2, 3 having sum(d.n) <> 0 order by 1, 2, 3;
create index key_region_totals_affiliation on key_region_totals (affiliation_code, province_name, day) include (n);
create index key_region_totals_province on key_region_totals (province_name, day) include (n);

create or replace function key_counts() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select affiliation_code, province_name, cell_id, user_id, issued_on, 1 as d from new_keys'
    when 'DELETE' then 'select affiliation_code, province_name, cell_id, user_id, issued_on, -1 as d from old_keys'
    else 'select affiliation_code, province_name, cell_id, user_id, issued_on, 1 as d from new_keys
      union all select affiliation_code, province_name, cell_id, user_id, issued_on, -1 as d from old_keys' end;
begin
  execute format('insert into key_days as t (day, cell_id, n)
    select issued_on, cell_id, sum(d) from (%s) as k group by 1, 2 having sum(d) <> 0 order by 1, 2
    on conflict (day, cell_id) do update set n = t.n + excluded.n', changed);
  execute format('insert into key_months as t (month, cell_id, n)
    select date_trunc(''month'', issued_on::timestamp)::date, cell_id, sum(d) from (%s) as k group by 1, 2
      having sum(d) <> 0 order by 1, 2
    on conflict (month, cell_id) do update set n = t.n + excluded.n', changed);
  execute format('insert into key_user_totals as t (user_id, n)
    select user_id, sum(d) from (%s) as k group by 1 having sum(d) <> 0 order by 1
    on conflict (user_id) do update set n = t.n + excluded.n', changed);
  execute format('insert into key_totals
    select issued_on, sum(d) from (%s) as k group by 1 having sum(d) <> 0', changed);
  execute format('insert into key_region_totals
    select affiliation_code, province_name, issued_on, sum(d) from (%s) as k group by 1, 2, 3 having sum(d) <> 0', changed);
  return null;
end $$;
