-- What a person lets colleagues see beside name, affiliation and position. A constant default writes no row.
alter table users
  add column phone_shown boolean not null default false,
  add column email_shown boolean not null default false;

-- The directory: who may log in, but for the days of the validity, which pass. In the order of its list and, with what
-- narrows it, counted without a look at the rows.
create index users_directory on users (lower(name) collate "C", id) include (affiliation_code, valid_from, valid_to)
  where withdrawn_at is null and approval_code = 'MEMAP001' and suspended_at is null;
