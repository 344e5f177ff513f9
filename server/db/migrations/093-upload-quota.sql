-- Bytes that a user has uploaded on a day, counted from the moment an upload reserves them.
create table upload_days (
  user_id bigint not null references users on delete cascade,
  -- In Asia/Seoul.
  day date not null,
  bytes bigint not null check (bytes >= 0),
  primary key (user_id, day)
);
create index upload_days_day on upload_days (day);

-- Bytes that the upload holds of the day on which it began. Null: the day counts what was stored, or the upload is older.
alter table uploads add column reserved_bytes bigint;

-- Megabytes that a user may upload per day; 0 for no limit.
alter table settings add column upload_quota_mb integer not null default 10000 check (upload_quota_mb between 0 and 1000000);
