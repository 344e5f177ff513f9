-- Issuing, revoking and verifying keys, and the counts that keep limits, lists and charts fast (design/keys#derived-keys, design/keys#counts-of-keys).

-- Where keys were issued: few rows, however many keys there are. What a key's history is filtered and sorted by.
create table key_cells (
  id bigint generated always as identity primary key,
  partner_id bigint not null references partners on delete cascade,
  affiliation_code text not null,
  province_name text collate "C" not null,
  district_name text collate "C" not null,
  unique (partner_id, affiliation_code, province_name, district_name)
);

-- Keys per place and Korean day and month; and the same per user, for the filters by name and phone number.
create table key_days (
  day date not null,
  cell_id bigint not null references key_cells on delete cascade,
  n integer not null,
  primary key (day, cell_id)
) with (fillfactor = 80);
create table key_months (
  month date not null,
  cell_id bigint not null references key_cells on delete cascade,
  n integer not null,
  primary key (month, cell_id)
) with (fillfactor = 80);
create index key_months_cell on key_months (cell_id);
create table key_user_days (
  user_id bigint not null references users,
  day date not null,
  cell_id bigint not null references key_cells on delete cascade,
  n integer not null,
  primary key (user_id, day, cell_id)
) with (fillfactor = 80);
create table key_user_months (
  user_id bigint not null references users,
  month date not null,
  cell_id bigint not null references key_cells on delete cascade,
  n integer not null,
  primary key (user_id, month, cell_id)
) with (fillfactor = 80);

insert into key_cells (partner_id, affiliation_code, province_name, district_name)
  select distinct partner_id, affiliation_code, province_name, district_name from issued_keys;
alter table issued_keys
  add column cell_id bigint references key_cells,
  -- Korean whatever the server's and the database's time zone.
  add column issued_on date generated always as ((issued_at at time zone 'Asia/Seoul')::date) stored,
  add column revoked_at timestamptz,
  add column revoked_by bigint references users,
  add column revoke_reason text;
update issued_keys k set cell_id = c.id from key_cells c
  where (c.partner_id, c.affiliation_code, c.province_name, c.district_name)
    = (k.partner_id, k.affiliation_code, k.province_name, k.district_name);
alter table issued_keys alter column cell_id set not null;

-- Holds all that a page is found by, so that a row is only read when it is shown.
drop index issued_keys_newest;
create index issued_keys_newest on issued_keys (issued_at desc, id desc) include (cell_id, user_id);
create index issued_keys_cell on issued_keys (cell_id, issued_at desc, id desc);
create index issued_keys_user on issued_keys (user_id, issued_at desc, id desc);

create function key_cell() returns trigger language plpgsql as $$
begin
  select id into new.cell_id from key_cells
    where partner_id = new.partner_id and affiliation_code = new.affiliation_code
      and province_name = new.province_name and district_name = new.district_name;
  if new.cell_id is null then
    insert into key_cells (partner_id, affiliation_code, province_name, district_name)
      values (new.partner_id, new.affiliation_code, new.province_name, new.district_name)
      on conflict (partner_id, affiliation_code, province_name, district_name)
        do update set partner_id = excluded.partner_id
      returning id into new.cell_id;
  end if;
  return new;
end $$;
create trigger issued_keys_cell before insert on issued_keys
  for each row when (new.cell_id is null) execute function key_cell();

-- Here and not in the handlers: whatever writes a key counts it, once, in its own transaction. Ordered, so that two
-- that write many keys at once wait for each other and do not lock each other out.
create function key_counts() returns trigger language plpgsql as $$
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
  execute format('insert into key_user_days as t (user_id, day, cell_id, n)
    select user_id, issued_on, cell_id, sum(d) from (%s) as k group by 1, 2, 3 having sum(d) <> 0 order by 1, 2, 3
    on conflict (user_id, day, cell_id) do update set n = t.n + excluded.n', changed);
  execute format('insert into key_user_months as t (user_id, month, cell_id, n)
    select user_id, date_trunc(''month'', issued_on::timestamp)::date, cell_id, sum(d) from (%s) as k group by 1, 2, 3
      having sum(d) <> 0 order by 1, 2, 3
    on conflict (user_id, month, cell_id) do update set n = t.n + excluded.n', changed);
  return null;
end $$;
create trigger issued_keys_counted after insert on issued_keys
  referencing new table as new_keys for each statement execute function key_counts();
create trigger issued_keys_recounted after update on issued_keys
  referencing new table as new_keys old table as old_keys for each statement execute function key_counts();
create trigger issued_keys_uncounted after delete on issued_keys
  referencing old table as old_keys for each statement execute function key_counts();

insert into key_days select issued_on, cell_id, count(*) from issued_keys group by 1, 2;
insert into key_months select date_trunc('month', issued_on::timestamp)::date, cell_id, count(*)
  from issued_keys group by 1, 2;
insert into key_user_days select user_id, issued_on, cell_id, count(*) from issued_keys group by 1, 2, 3;
insert into key_user_months select user_id, date_trunc('month', issued_on::timestamp)::date, cell_id, count(*)
  from issued_keys group by 1, 2, 3;

-- One row: with which KEY_SECRET this database's keys were derived. It tells two secrets apart and no more.
create table key_secret (
  only_one boolean primary key default true check (only_one),
  fingerprint bytea not null
);

-- A warning that was queued: the same limit, period and mark is never mailed twice.
create table key_warnings (
  partner_id bigint not null references partners on delete cascade,
  period text not null check (period in ('day', 'week', 'month', 'total')),
  -- The first day of the period; of 'total', which has none, 1900-01-01.
  starts_on date not null,
  -- A limit that is raised is another one, and is warned of anew.
  key_limit integer not null,
  mark integer not null check (mark in (80, 100)),
  queued_at timestamptz not null default now(),
  primary key (partner_id, period, starts_on, key_limit, mark)
);

-- What services prove themselves with when they ask whether a key is valid.
create table service_tokens (
  id bigint generated always as identity primary key,
  name text collate "C" not null,
  -- SHA-256: reading the table does not let anyone become a service.
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  created_by bigint not null references users,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by bigint references users
);
create unique index service_tokens_name on service_tokens (lower(name)) where revoked_at is null;
