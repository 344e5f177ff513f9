-- When a kind of notification comes to somebody by mail; a kind that is not there as it comes to most (design/mail-and-notifications#notification-emails).
alter table notification_states add column mail jsonb not null default '{}';
create index notification_states_mail on notification_states (user_id) where mail <> '{}';

-- What those who want it at once have been mailed of, or need not be: by the ID of a notification as the wire says it.
create table notification_mails (
  notification_id text collate "C" primary key,
  at timestamptz not null default now()
);
create index notification_mails_at on notification_mails (at);

-- What happened before this is nobody's to be mailed now; the first mail of a day comes tomorrow.
insert into notification_mails (notification_id)
  select id::text from notifications where at > now() - interval '1 day'
  union all
  select 'n' || id from notices where must_read and published_at > now() - interval '1 day' and published_at <= now()
  union all
  select 'r' || id from approval_requests
    where state = 'waiting' and kind = 'account' and requested_at > now() - interval '1 day';
insert into daily_runs (job, day) values ('notifications', (now() at time zone 'Asia/Seoul')::date) on conflict do nothing;
