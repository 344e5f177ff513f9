-- A person's keys per day and month were nearly as many rows as the keys themselves, and two of the four counts that every
-- key was written into. One row per person says as much to a list; charts read the keys of the people they are asked for.
-- How many there were on a day in all, whatever the place, is added by rows that wait for nobody (design/keys#counts-of-keys).
-- A server of the version before that still runs waits: what it wrote meanwhile would be counted by nobody.
lock table issued_keys in share row exclusive mode;
create table key_user_totals (
  user_id bigint primary key references users on delete cascade,
  n integer not null
) with (fillfactor = 80);
insert into key_user_totals select user_id, count(*) from issued_keys group by 1;
create table key_totals (day date not null, n integer not null);
insert into key_totals select issued_on, count(*) from issued_keys group by 1;

create or replace function key_counts() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select cell_id, user_id, issued_on, 1 as d from new_keys'
    when 'DELETE' then 'select cell_id, user_id, issued_on, -1 as d from old_keys'
    else 'select cell_id, user_id, issued_on, 1 as d from new_keys
      union all select cell_id, user_id, issued_on, -1 as d from old_keys' end;
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
  return null;
end $$;

drop table key_user_days, key_user_months;
