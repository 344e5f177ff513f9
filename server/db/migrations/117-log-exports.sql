-- Positions of the continuous exports of both logs (design/events#log-export).
create table log_exports (
  destination text not null check (destination in ('syslog', 'files')),
  log text not null check (log in ('audit', 'access')),
  -- First day of the month of the last sent row; null for the audit log.
  month date,
  -- ID of the last sent row of the audit log, or position of that of the access log in its month.
  position bigint not null,
  -- Number of the last sent row.
  number bigint not null,
  primary key (destination, log),
  check ((log = 'access') = (month is not null))
);

-- Returns the seconds that the oldest unsent row has waited; 0 if all are sent.
create function log_export_waits(wanted text) returns integer language sql stable as $$
  select coalesce(max(extract(epoch from now() - next.at)), 0)::integer
  from log_exports e cross join lateral (
    select case e.log
      when 'audit' then (select l.at from audit_log l where l.id > e.position order by l.id limit 1)
      else (select l.at from access_log l where l.month >= e.month and (l.month, l.position) > (e.month, e.position)
        order by l.month, l.position limit 1)
    end as at
  ) as next where e.destination = wanted
$$;
