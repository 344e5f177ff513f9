-- Takes the rows as one JSON value. With array literals that the caller assembled, the login ID `null` became a NULL. As in 066 otherwise.
-- added: an array of rows, each [entry, ids, names]. entry is the JSON text that is hashed.
drop function access_log_append(text[], text[], text[]);
create function access_log_append(added jsonb) returns void
  language plpgsql security definer set lock_timeout = '5s' as $$
declare
  last access_log_heads;
  moment timestamptz := clock_timestamp();
  this_month date;
  micros text;
  one jsonb;
  entry jsonb;
  written text;
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
  for one in select value from jsonb_array_elements(added) with ordinality order by ordinality loop
    written := one ->> 0;
    people := array(select id::bigint from jsonb_array_elements_text(one -> 1) with ordinality as p (id, place) order by place);
    unknown := array(select name from jsonb_array_elements_text(one -> 2) with ordinality as p (name, place) order by place);
    if unknown <> '{}' then
      people := array(
        select id from unnest(people) as id union select id from users where login_id = any (unknown) order by 1);
      unknown := array(
        select tried from unnest(unknown) with ordinality as t (tried, place)
        where not exists (select from users where login_id = tried) order by place);
    end if;
    entry := written::jsonb;
    last.position := last.position + 1;
    last.hash := sha256(last.hash || convert_to(
      '[' || last.position || ',' || micros || ',' || substr(written, 2, length(written) - 2)
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
  -- Without rows this only tries whether the log can be written.
  update access_log_heads set position = last.position, hash = last.hash,
    at = case when acts = '{}' then at else moment end where month = this_month;
end $$;

-- Only the application role may call it (server/db/serving-role.ts), and it works in this schema whatever the caller's search_path is.
do $$
begin
  revoke all on function access_log_append(jsonb) from public;
  execute format('alter function access_log_append(jsonb) set search_path = %I, pg_temp', current_schema());
end $$;
