-- Settings that only environment variables set before, with their defaults: minutes, days (0: never), months, backups and days.
alter table settings
  add column session_idle_minutes integer not null default 30 check (session_idle_minutes between 5 and 1440),
  add column suspend_after_days integer not null default 180
    check (suspend_after_days = 0 or suspend_after_days between 30 and 9999),
  add column access_log_months integer not null default 24 check (access_log_months between 12 and 120),
  add column backup_keep integer not null default 7 check (backup_keep between 7 and 1000),
  add column backup_test_days integer not null default 7 check (backup_test_days between 1 and 365);
