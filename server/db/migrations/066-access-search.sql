-- The access log is searched (design/access-log#search).

-- In the order of the list, by whatever it is narrowed by; by who and by whose data 064 has an index.
create index access_log_address on access_log (address, position);
create index access_log_refused on access_log (position) where result <> '';
-- What names somebody who is no account: an ID that was tried.
create index access_log_tried on access_log (actor, position) where actor_id is null;
create index access_log_named on access_log using gin (named) where named <> '{}';

-- How many rows there are by Korean day, act, call and whether they were refused, added up like audit_counts (design/audit-log#records-of-a-row).
create table access_counts (day date not null, act text not null, call text not null, refused boolean not null, n integer not null);
insert into access_counts
  select (at at time zone 'Asia/Seoul')::date, act, call, result <> '', count(*) from access_log group by 1, 2, 3, 4;

-- How many rows of a month, of so many, were written before a moment. Time only grows with their numbers: halving finds it.
create function access_log_before(of_month date, moment timestamptz, total bigint) returns bigint language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := total;
  middle bigint;
  written timestamptz;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select at into written from access_log where month = of_month and position = middle;
    if written < moment then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;

-- As in 064, and counts the rows. What names an account is no longer kept as an unknown name beside it.
create or replace function access_log_append(entries text[], ids text[], names text[]) returns void
  language plpgsql security definer set lock_timeout = '5s' as $$
declare
  last access_log_heads;
  moment timestamptz := clock_timestamp();
  this_month date;
  micros text;
  entry jsonb;
  people bigint[];
  unknown text[];
  acts text[] := '{}';
  calls text[] := '{}';
  results text[] := '{}';
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
        select tried from unnest(unknown) as tried where not exists (select from users where login_id = tried));
    end if;
    entry := entries[i]::jsonb;
    last.position := last.position + 1;
    last.hash := sha256(last.hash || convert_to(
      '[' || last.position || ',' || micros || ',' || substr(entries[i], 2, length(entries[i]) - 2)
        || ',[' || array_to_string(people, ',') || '],' || to_json(unknown) || ']', 'UTF8'));
    insert into access_log values (this_month, last.position, moment, entry ->> 0, entry ->> 1, (entry ->> 2)::bigint,
      entry ->> 3, entry ->> 4, entry ->> 5, entry ->> 6, entry ->> 7, people, unknown, last.hash);
    acts := acts || (entry ->> 0);
    calls := calls || (entry ->> 1);
    results := results || (entry ->> 6);
  end loop;
  insert into access_counts
    select (moment at time zone 'Asia/Seoul')::date, act, call, result <> '', count(*)
    from unnest(acts, calls, results) as one (act, call, result) group by 2, 3, 4;
  update access_log_heads set position = last.position, at = moment, hash = last.hash where month = this_month;
end $$;

-- In this schema, whatever the caller's says.
do $$
begin
  execute format('alter function access_log_append(text[], text[], text[]) set search_path = %I, pg_temp', current_schema());
end $$;
