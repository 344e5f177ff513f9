-- Ends of retention (rules/retention#kinds). The database erases neither months of the access log younger than 24 months, nor records
-- of inspections, reviews and incidents younger than 36 months, for any caller.
alter table access_log_heads add column erased_at timestamptz;

-- Marks the months in files whose retention has ended. A job then removes their files. @returns the number of their rows
create function access_log_erase(months integer) returns integer
  language plpgsql security definer set lock_timeout = '5s' as $$
declare
  erased integer;
begin
  if months is null or months < 24 then raise exception 'the access log is kept for 24 months at least'; end if;
  with ended as (
    update access_log_heads set erased_at = now()
      where archived_at is not null and erased_at is null
        and month < date_trunc('month', now() at time zone 'Asia/Seoul') - make_interval(months => months)
      returning position)
  select coalesce(sum(position), 0)::integer into erased from ended;
  return erased;
end $$;

-- Deletes inspections of months in files, reviews, and closed incidents, the oldest first. @returns their number, at most `most`
create function privacy_records_erase(months integer, most integer) returns integer
  language plpgsql security definer set lock_timeout = '5s' as $$
declare
  ended timestamptz := now() - make_interval(months => months);
  inspected date[];
  reviewed date[];
  incident_ids bigint[];
begin
  if months is null or months < 36 then raise exception 'these records are kept for 36 months at least'; end if;
  inspected := array(select i.month from inspections i join access_log_heads h on h.month = i.month
    where h.archived_at is not null and i.month + interval '1 month' < ended order by 1 limit most);
  delete from inspection_findings where month = any (inspected);
  delete from inspections where month = any (inspected);
  reviewed := array(select quarter from rights_reviews where quarter + interval '3 months' < ended order by 1 limit most);
  delete from rights_review_items where quarter = any (reviewed);
  delete from rights_reviews where quarter = any (reviewed);
  incident_ids := array(select id from incidents where closed_at < ended order by id limit most for update skip locked);
  delete from leak_people p using leak_searches s where s.id = p.search_id and s.incident_id = any (incident_ids);
  delete from leak_searches where incident_id = any (incident_ids);
  delete from incident_records where incident_id = any (incident_ids);
  delete from incidents where id = any (incident_ids);
  return cardinality(inspected) + cardinality(reviewed) + cardinality(incident_ids);
end $$;

-- Signed records stay, until the retention of the database has ended.
create or replace function inspection_is_signed() returns trigger language plpgsql as $$
begin
  if old.signed_at is not null and (tg_op = 'UPDATE' or old.month >= now() - interval '36 months') then
    raise exception 'the inspection of % is signed', old.month;
  end if;
  return coalesce(new, old);
end $$;
create or replace function inspection_findings_stay() returns trigger language plpgsql as $$
begin
  if exists (select from inspections
    where signed_at is not null and month in (coalesce(old.month, new.month), coalesce(new.month, old.month))
      and (tg_op <> 'DELETE' or month >= now() - interval '36 months'))
  then raise exception 'the inspection of % is signed', coalesce(old.month, new.month); end if;
  return coalesce(new, old);
end $$;
create or replace function rights_review_is_signed() returns trigger language plpgsql as $$
begin
  if old.signed_at is not null and (tg_op = 'UPDATE' or old.quarter >= now() - interval '36 months') then
    raise exception 'the review of rights of % is signed', old.quarter;
  end if;
  return coalesce(new, old);
end $$;
create or replace function rights_review_items_stay() returns trigger language plpgsql as $$
begin
  if exists (select from rights_reviews where signed_at is not null
    and quarter in (coalesce(old.quarter, new.quarter), coalesce(new.quarter, old.quarter))
    and (tg_op <> 'DELETE' or quarter >= now() - interval '36 months'))
  then raise exception 'the review of rights of % is signed', coalesce(old.quarter, new.quarter); end if;
  return coalesce(new, old);
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['access_log_erase(integer)', 'privacy_records_erase(integer, integer)'] loop
    execute format('revoke all on function %s from public', name);
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end $$;
