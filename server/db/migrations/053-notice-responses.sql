-- What readers say of a notice: acknowledgements and comments, each switched off per notice and for the portal.
alter table notices
  add column allow_comments boolean not null default true,
  add column allow_acknowledgements boolean not null default true;
alter table settings
  add column notice_comments boolean not null default true,
  add column notice_acknowledgements boolean not null default true;

alter table notice_reads add column acknowledged_at timestamptz;
create index notice_reads_acknowledged on notice_reads (notice_id) where acknowledged_at is not null;

create table notice_comments (
  id bigint generated always as identity primary key,
  notice_id bigint not null references notices on delete cascade,
  author_id bigint not null references users,
  body text not null,
  created_at timestamptz not null default now(),
  edited_at timestamptz
);
create index notice_comments_newest on notice_comments (notice_id, id desc);
create index notice_comments_author on notice_comments (author_id);
