-- Colleagues of the same affiliation see phone number and email unless their owner hides them.
alter table users
  add column phone_hidden boolean not null default false,
  add column email_hidden boolean not null default false;

-- Users who chose before keep hidden what they did not show.
update users set phone_hidden = not phone_shown, email_hidden = not email_shown
  where 'user/' || id in (select unnest(records) from audit_log where action = 'user.share');

-- Korean names come first, then all others.
drop index users_directory;
create index users_directory on users ((lower(name) collate "C" < '가'), lower(name) collate "C", id)
    include (affiliation_code, valid_from, valid_to)
  where withdrawn_at is null and approval_code = 'MEMAP001' and suspended_at is null;
