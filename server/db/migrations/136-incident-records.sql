-- The course of a leak incident (rules/audit#leak-records): each notice, report, decision and correction is a row of its own, which
-- never changes.
create table incident_records (
  id bigint generated always as identity primary key,
  incident_id bigint not null references incidents,
  kind text not null check (kind in ('KNOWN', 'NOTICE', 'NO_NOTICE', 'REPORT', 'NO_REPORT', 'CLOSED')),
  -- Time as entered.
  happened_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  recorded_by bigint not null references users,
  method text not null default '',
  -- Number of people who were notified; 0 for other kinds.
  people bigint not null default 0,
  receipt_number text not null default '',
  remark text not null default '',
  -- Draft of the notice or report at this time.
  body text not null default ''
);
create index incident_records_incident on incident_records (incident_id, id);

insert into incident_records (incident_id, kind, happened_at, recorded_at, recorded_by, body)
  select i.id, r.kind, r.happened_at, r.recorded_at, r.recorded_by, r.body from incidents i
  cross join lateral (values
    ('KNOWN', i.known_at, i.created_at, i.created_by, ''),
    ('NOTICE', i.notified_at, i.notified_at, i.notified_by, i.notice_draft),
    ('REPORT', i.reported_at, i.reported_at, i.reported_by, i.report_draft),
    ('CLOSED', i.closed_at, i.closed_at, i.closed_by, '')) as r (kind, happened_at, recorded_at, recorded_by, body)
  where r.happened_at is not null
  order by i.id, r.recorded_at;

drop trigger incidents_stay on incidents;
drop function incident_step_stays();
alter table incidents
  add column leak_certainty text not null default 'POSSIBLE' check (leak_certainty in ('POSSIBLE', 'CONFIRMED')),
  -- Number of records, so that a version of the row covers them.
  add column records integer not null default 1,
  drop column notified_at, drop column notified_by, drop column reported_at, drop column reported_by,
  drop column closed_by;
update incidents i set records = (select count(*) from incident_records r where r.incident_id = i.id);

-- Nothing changes after the incident is closed.
create function incident_stays() returns trigger language plpgsql as $$
begin
  if old.closed_at is not null then raise exception 'the incident % is closed', old.id; end if;
  return new;
end $$;
create trigger incidents_stay before update on incidents for each row execute function incident_stays();
create function closed_incident_stays() returns trigger language plpgsql as $$
begin
  if exists (select from incidents where id = new.incident_id and closed_at is not null) then
    raise exception 'the incident % is closed', new.incident_id;
  end if;
  return new;
end $$;
create trigger incident_records_stay before insert on incident_records
  for each row execute function closed_incident_stays();
create trigger leak_searches_stay before insert on leak_searches
  for each row execute function closed_incident_stays();
