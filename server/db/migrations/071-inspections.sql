-- The access log is inspected month by month (design/inspections-and-reviews#monthly-access-log-review). What was marked is kept with its words, not looked up: the report says the
-- same when the log is in a file and the people are gone.
create table inspections (
  month date primary key,
  -- What the month held when it was searched: how many rows, and the end of their chain.
  records bigint not null,
  chain_end bytea not null,
  -- The rules as they were, and how many things each found.
  rules jsonb not null,
  searched_at timestamptz not null default now(),
  searcher_name text not null,
  opinion text not null default '',
  signed_at timestamptz,
  signer_login_id text not null default '',
  signer_name text not null default ''
);

create table inspection_findings (
  id bigint generated always as identity primary key,
  month date not null references inspections,
  rule text not null,
  day date not null,
  -- Who did it or whose data it was; none where it is an address, or an ID that is no account.
  person_id bigint,
  login_id text not null,
  name text not null,
  address text not null,
  amount bigint not null,
  verdict text not null default '' check (verdict in ('', 'EXPLAINED', 'ACTION')),
  remark text not null default '',
  remarked_at timestamptz,
  remarker_id bigint,
  remarker_name text not null default '',
  unique nulls not distinct (month, rule, day, person_id, login_id, address)
);

-- What was signed is as it was, whoever serves and whatever is asked for.
create function inspection_is_signed() returns trigger language plpgsql as $$
begin
  if old.signed_at is not null then raise exception 'the inspection of % is signed', old.month; end if;
  return coalesce(new, old);
end $$;
create trigger inspections_stay before update or delete on inspections
  for each row execute function inspection_is_signed();

create function inspection_findings_stay() returns trigger language plpgsql as $$
begin
  if exists (select from inspections
    where signed_at is not null and month in (coalesce(old.month, new.month), coalesce(new.month, old.month)))
  then raise exception 'the inspection of % is signed', coalesce(old.month, new.month); end if;
  return coalesce(new, old);
end $$;
create trigger inspection_findings_stay before insert or update or delete on inspection_findings
  for each row execute function inspection_findings_stay();

-- What months are searched for, where somebody has said otherwise.
alter table settings add column inspection_rules jsonb not null default '{}';
