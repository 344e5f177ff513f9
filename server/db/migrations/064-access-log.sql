-- The access log (design/access-log#write-before-the-response): who touched whose personal data, when, from where and how. Rows come by access_log_append alone,
-- each with the hash of the one before it in its month.
create table access_log (
  month date not null,
  position bigint not null,
  at timestamptz not null,
  act text not null check (act in ('login', 'read', 'search', 'change', 'export')),
  call text not null,
  actor_id bigint,
  actor text not null,
  address text not null,
  request_id text not null,
  result text not null,
  detail text not null,
  subjects bigint[] not null,
  named text[] not null,
  hash bytea not null,
  primary key (month, position)
) partition by list (month);

create index access_log_at on access_log using brin (at);
create index access_log_actor on access_log (actor_id, position) where actor_id is not null;
-- Whose data: a side table with a row for each person of a list would be ten times as large (design/access-log#write-before-the-response).
create index access_log_subjects on access_log using gin (subjects);

-- Where each month's chain ends. Archived: its rows are in a file.
create table access_log_heads (
  month date primary key,
  position bigint not null,
  at timestamptz not null,
  hash bytea not null,
  archived_at timestamptz
) with (fillfactor = 50);

create function access_log_partition(month date) returns text language sql immutable
  return 'access_log_' || to_char(month::timestamp, 'YYYY_MM');

-- Attached, which whoever reads the log meanwhile does not wait for, as they would for "partition of".
create function access_log_open(opened date) returns void language plpgsql as $$
declare
  name text := access_log_partition(opened);
begin
  if to_regclass(name) is not null then return; end if;
  perform pg_advisory_xact_lock(7120426);
  -- What another server made while this one waited, to_regclass may not have heard of.
  if exists (select from pg_class where relname = name and relnamespace = current_schema()::regnamespace) then return; end if;
  execute format('create table %I (like access_log including all)', name);
  execute format('alter table access_log attach partition %I for values in (%L)', name, opened);
end $$;

-- This month and the next: called by a job, so that no call waits for it.
create function access_log_ahead() returns void language plpgsql security definer set lock_timeout = '5s' as $$
declare
  this_month date := date_trunc('month', now() at time zone 'Asia/Seoul')::date;
begin
  perform access_log_open(this_month);
  perform access_log_open((this_month + interval '1 month')::date);
end $$;

-- Adds rows to the chain of this month, one server after the other. A row's time is never before that of the one before it, whatever
-- the clock says. entries: JSON arrays of act, call, actor_id, actor, address, request_id, result and detail; ids and names, of
-- those whose data it was, as array literals.
create function access_log_append(entries text[], ids text[], names text[]) returns void
  language plpgsql security definer set lock_timeout = '5s' as $$
declare
  last access_log_heads;
  moment timestamptz := clock_timestamp();
  this_month date;
  micros text;
  entry jsonb;
  people bigint[];
  unknown text[];
begin
  select * into last from access_log_heads order by month desc limit 1;
  moment := greatest(moment, last.at);
  this_month := date_trunc('month', moment at time zone 'Asia/Seoul')::date;
  if last.month is distinct from this_month then
    perform access_log_open(this_month);
    insert into access_log_heads values (this_month, 0, moment, sha256(convert_to('maru access log ' || this_month, 'UTF8')))
      on conflict do nothing;
  end if;
  select * into strict last from access_log_heads where month = this_month for update;
  moment := greatest(moment, last.at);
  micros := (extract(epoch from moment) * 1000000)::bigint::text;
  for i in 1 .. coalesce(cardinality(entries), 0) loop
    people := ids[i]::bigint[];
    unknown := names[i]::text[];
    if unknown <> '{}' then
      people := array(
        select id from unnest(people) as id union select id from users where login_id = any (unknown) order by 1);
      unknown := array(
        select name from unnest(unknown) as name where not exists (select from users where login_id = name));
    end if;
    entry := entries[i]::jsonb;
    last.position := last.position + 1;
    last.hash := sha256(last.hash || convert_to(
      '[' || last.position || ',' || micros || ',' || substr(entries[i], 2, length(entries[i]) - 2)
        || ',[' || array_to_string(people, ',') || '],' || to_json(unknown) || ']', 'UTF8'));
    insert into access_log values (this_month, last.position, moment, entry ->> 0, entry ->> 1, (entry ->> 2)::bigint,
      entry ->> 3, entry ->> 4, entry ->> 5, entry ->> 6, entry ->> 7, people, unknown, last.hash);
  end loop;
  update access_log_heads set position = last.position, at = moment, hash = last.hash where month = this_month;
end $$;

-- Drops the rows of a month that are in a file by now; never of one that the law wants kept, whatever whoever serves asks for.
create function access_log_drop(dropped date, ends_at bigint, ends_with bytea) returns void
  language plpgsql security definer set lock_timeout = '5s' as $$
begin
  if dropped >= date_trunc('month', now() at time zone 'Asia/Seoul') - interval '12 months' then
    raise exception 'the access log of % is kept', dropped;
  end if;
  update access_log_heads set archived_at = now()
    where month = dropped and position = ends_at and hash = ends_with and archived_at is null;
  if not found then raise exception 'the access log of % ends elsewhere', dropped; end if;
  execute format('drop table %I', access_log_partition(dropped));
end $$;

-- By whoever serves alone, who is granted them after each migration; and in this schema, whatever the caller's says.
do $$
declare
  name text;
begin
  foreach name in array array['access_log_open(date)', 'access_log_ahead()', 'access_log_append(text[], text[], text[])',
    'access_log_drop(date, bigint, bytea)'] loop
    execute format('revoke all on function %s from public', name);
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end $$;
