-- Webhooks: other servers that receive the events of the audit log (design/events#outbox).

create table webhooks (
  id bigint generated always as identity primary key,
  name text not null,
  url text not null,
  -- Encrypted with the key secret.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  -- Audit actions, or nouns for all actions of a noun; empty for every event.
  kinds text[] not null default '{}',
  created_by bigint not null references users,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- Whether the job disabled it, after days without a success.
  disabled_by_job boolean not null default false,
  -- Time of the first failure since the last success.
  failing_since timestamptz,
  -- The job sends nothing to an unavailable server until then.
  paused_until timestamptz not null default now(),
  check ((previous_secret is null) = (previous_until is null)),
  check (disabled_at is not null or not disabled_by_job)
);
create unique index webhooks_name on webhooks (lower(name));

-- No foreign key to audit_log: an event outlives its deliveries by years.
create table event_deliveries (
  webhook_id bigint not null references webhooks on delete cascade,
  audit_id bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  attempted_at timestamptz,
  -- HTTP status of the last answer; null if there was none.
  status integer,
  -- Start of the last answer, or the reason why there was none.
  answer text not null default '',
  primary key (webhook_id, audit_id)
);
create index event_deliveries_due on event_deliveries (webhook_id, next_attempt_at, audit_id) where state = 'waiting';
create index event_deliveries_dead on event_deliveries (webhook_id, audit_id) where state = 'dead';

-- Writes the deliveries in the transaction of the event, so that neither exists without the other.
create function queue_events() returns trigger language plpgsql as $$
begin
  if exists (select from webhooks where disabled_at is null) then
    insert into event_deliveries (webhook_id, audit_id)
      select w.id, e.id from added e join webhooks w on w.disabled_at is null
        and (w.kinds = '{}' or e.action = any (w.kinds) or split_part(e.action, '.', 1) = any (w.kinds));
  end if;
  return null;
end $$;
create trigger audit_queued after insert on audit_log referencing new table as added
  for each statement execute function queue_events();
