-- Leak incidents (design/access-log#leak-incidents). Searches and their results never change: the application role only adds them.
create table incidents (
  id bigint generated always as identity primary key,
  title text not null,
  -- Time of knowledge, from which the 72 hours run.
  known_at timestamptz not null,
  notes text not null default '',
  notice_draft text not null default '',
  report_draft text not null default '',
  created_at timestamptz not null default now(),
  created_by bigint not null references users,
  notified_at timestamptz,
  notified_by bigint references users,
  reported_at timestamptz,
  reported_by bigint references users,
  closed_at timestamptz,
  closed_by bigint references users
);

-- A recorded step stays as it is, and nothing changes after the incident is closed.
create function incident_step_stays() returns trigger language plpgsql as $$
begin
  if old.closed_at is not null then raise exception 'the incident % is closed', old.id; end if;
  if (old.notified_at is not null and (old.notified_at, old.notified_by) is distinct from (new.notified_at, new.notified_by))
    or (old.reported_at is not null and (old.reported_at, old.reported_by) is distinct from (new.reported_at, new.reported_by))
  then raise exception 'a step of the incident % is recorded', old.id; end if;
  return new;
end $$;
create trigger incidents_stay before update on incidents for each row execute function incident_step_stays();

create table leak_searches (
  id bigint generated always as identity primary key,
  incident_id bigint not null references incidents,
  origin text not null check (origin in ('ACCOUNT', 'ADDRESS', 'TOKEN', 'EXPORT')),
  -- users.id of the account, which may have been removed; null for other origins.
  account_id bigint,
  -- Address, name of the token or ID of the row of the export; '' for an account.
  value text not null,
  searched_from timestamptz not null,
  searched_to timestamptz not null,
  searched_at timestamptz not null default now(),
  searched_by bigint not null references users,
  people bigint not null,
  records bigint not null
);
create index leak_searches_incident on leak_searches (incident_id, id);

-- The data subjects that a search found. No foreign key: an account may have been removed, as in the access log.
create table leak_people (
  search_id bigint not null references leak_searches,
  person_id bigint not null,
  calls text[] not null,
  touches bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (search_id, person_id)
);

-- Rows of a token. Only rows that name one are in it, so that other rows cost nothing but a comparison.
create index access_log_token on access_log (substring(detail from 'token:(.*)$'), month, position) where detail like '%token:%';
