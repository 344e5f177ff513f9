-- Codes and mails are kept by who asked for them: what one asks for takes nothing from another.

alter table certifications add column requester text not null default '';
-- Those of whoever did not ask for it: they leave the requester's own alone.
alter table certifications add column foreign_tries integer not null default 0;
alter table certifications drop constraint certifications_pkey;
alter table certifications add primary key (type_code, email, login_id, requester);

-- Mails of one person wait behind each other, and beside those of everybody else: the lowest turn leaves first.
alter table mails add column requester text not null default 'portal';
alter table mails add column turn bigint not null default 0;
drop index mails_due;
create index mails_due on mails (urgent desc, turn, next_try_at) where failed_at is null;
create index mails_turn on mails (requester, urgent, turn) where failed_at is null;
