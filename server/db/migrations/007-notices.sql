-- The notice board: publishing at a time, pins, must-read, who has read what, and counts.

alter table notices
  -- When it is there for everybody: the moment it was written, or a later one that its author chose.
  add column published_at timestamptz,
  -- The last day on which it stands on top; null: it does not.
  add column pinned_until date,
  add column must_read boolean not null default false,
  -- Counts the edits, so that the second of two who edit at once is told.
  add column version integer not null default 1,
  add column reminded_at timestamptz;
update notices set published_at = created_at;

create function notice_published_at() returns trigger language plpgsql as $$
begin
  new.published_at := coalesce(new.published_at, new.created_at);
  return new;
end $$;
create trigger notices_published_at before insert on notices
  for each row when (new.published_at is null) execute function notice_published_at();
alter table notices alter column published_at set not null;

drop index notices_newest;
create index notices_board on notices (published_at desc, id desc);
create index notices_pinned on notices (pinned_until) where pinned_until is not null;

-- A row per person and notice: written with the first look, and once more with a confirmation.
create table notice_reads (
  notice_id bigint not null references notices on delete cascade,
  user_id bigint not null references users,
  viewed_at timestamptz not null default now(),
  confirmed_at timestamptz,
  primary key (notice_id, user_id)
);
create index notice_reads_user on notice_reads (user_id);

alter table notice_files add column downloads integer not null default 0;
