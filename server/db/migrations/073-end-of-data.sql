-- What is over is erased, by how long each kind of data is kept (design/erasure#anonymous-accounts), and how many there were stays on record.

-- How long, where somebody has said otherwise; and from when on: nothing goes in the first week after an update, so that who
-- is responsible sees what would.
alter table settings
  add column retention jsonb not null default '{}',
  add column erasing_from timestamptz not null default now();
update settings set erasing_from = now() + interval '7 days' where exists (select from users);

-- A withdrawn account that names nobody any more: its row stays for what hangs on it.
alter table users
  add column erased_at timestamptz,
  add constraint users_erased check (erased_at is null or withdrawn_at is not null);
create index users_to_erase on users (withdrawn_at, id) where withdrawn_at is not null and erased_at is null;
create index approval_requests_closed on approval_requests (decided_at, id) where state in ('refused', 'withdrawn');

-- One row for each batch, in its transaction. It holds no name, no ID, no number of a record.
create table erasures (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null,
  method text not null check (method in ('DELETED', 'ANONYMIZED')),
  -- The setting that it went by: days, of the trail months.
  kept_for integer not null,
  n integer not null check (n > 0)
);
create index erasures_at on erasures (at);

-- What stands in login_ids for an ID that an erased account has or had: it stays taken, and is not written down any more.
-- No ID has a # in it.
create function erased_login_id(login_id text) returns text language sql stable
  return '#' || encode(sha256(convert_to((select id::text from installation) || ' ' || login_id, 'UTF8')), 'hex');

create or replace function keep_login_id() returns trigger language plpgsql as $$
begin
  insert into login_ids values (new.login_id, new.id) on conflict do nothing;
  if not exists (select from login_ids where login_id = new.login_id and user_id = new.id)
    or exists (select from login_ids where login_id = erased_login_id(new.login_id)) then
    raise unique_violation using constraint = 'users_login_id_key', message = 'The login ID is or was somebody else''s';
  end if;
  return null;
end $$;

-- Deletes rows of the trail that are over, the oldest first; never one that the law wants kept, whatever whoever serves asks for.
create function audit_log_erase(months integer, most integer) returns integer
  language plpgsql security definer set lock_timeout = '5s' as $$
declare
  erased integer;
begin
  if months is null or months < 36 then raise exception 'the trail is kept for 36 months at least'; end if;
  delete from audit_log where id = any (array(
    select id from audit_log where at < now() - make_interval(months => months)
    order by at, id limit most for update skip locked));
  get diagnostics erased = row_count;
  return erased;
end $$;

do $$
begin
  revoke all on function audit_log_erase(integer, integer) from public;
  execute format('alter function audit_log_erase(integer, integer) set search_path = %I, pg_temp', current_schema());
end $$;
