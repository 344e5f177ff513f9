-- Completed verifications of the access log (rules/running#check-log), and the days in which the next one is due. The
-- application role only adds rows.
create table access_log_checks (
  id bigint generated always as identity primary key,
  checked_at timestamptz not null default now(),
  months integer not null,
  -- Months that failed.
  problems integer not null
);

alter table settings
  add column log_check_days integer not null default 31 check (log_check_days between 1 and 366);
