-- The backups that servers take by themselves (design/backups#scheduled-backups). One that is under way, or was cut off, has no end.
create table backup_runs (
  id bigint generated always as identity primary key,
  -- The time in BACKUP_AT that it is for.
  due_at timestamptz not null,
  folder text not null,
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  failure text,
  row_count bigint,
  file_count bigint,
  missing_count bigint,
  bytes bigint,
  -- When it was restored for a try, and what was wrong then.
  tested_at timestamptz,
  test_failure text,
  -- When the folder was removed for newer ones.
  removed_at timestamptz
);
