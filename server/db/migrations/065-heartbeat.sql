-- That the database takes what is written is seen by writing (design/disk-and-clock#full-disk): a row that changes in its place, and one that needs new
-- pages and is taken back.
create table heartbeat (
  id boolean primary key default true check (id),
  written_at timestamptz not null default now(),
  -- Until when the clock was as it should be, what it said last, and since when it is not believed (design/disk-and-clock#untrusted-clock).
  trusted_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  doubted_since timestamptz
);
insert into heartbeat default values;

create table room_probe (filler bytea not null);
alter table room_probe alter column filler set storage external;
