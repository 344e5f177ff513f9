-- How many reminders somebody was sent on a day, and the mails that go before all others.

create table notice_reminders (
  user_id bigint not null references users on delete cascade,
  -- In Asia/Seoul.
  day date not null,
  sent integer not null,
  primary key (user_id, day)
);
create index notice_reminders_day on notice_reminders (day);

-- It carries a code or a password, for which somebody waits.
alter table mails add column urgent boolean not null default false;
drop index mails_due;
create index mails_due on mails (urgent desc, next_try_at) where failed_at is null;
