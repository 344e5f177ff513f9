-- What concerns one person, or those of a partner and who administers partners (design/mail-and-notifications#notifications). Must-read notices and sign-ups that
-- wait are read where they are and have no row here.
create table notifications (
  id bigint generated always as identity primary key,
  kind text not null,
  user_id bigint references users on delete cascade,
  partner_id bigint references partners on delete cascade,
  detail jsonb not null default '{}',
  -- Not now(): servers look for what is new by it, and a long transaction began long ago.
  at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(user_id, partner_id) = 1)
);
create index notifications_user on notifications (user_id, at desc, id desc) where user_id is not null;
create index notifications_partner on notifications (partner_id, at desc, id desc) where partner_id is not null;
create index notifications_partners on notifications (at desc, id desc) where partner_id is not null;
create index notifications_at on notifications (at);

-- What somebody has read, one by one, by the ID of a notification as the wire says it.
create table notification_reads (
  user_id bigint not null references users on delete cascade,
  notification_id text collate "C" not null,
  read_at timestamptz not null default now(),
  primary key (user_id, notification_id)
);
create index notification_reads_at on notification_reads (read_at);

create table notification_states (
  user_id bigint primary key references users on delete cascade,
  -- All until then is read.
  read_until timestamptz not null default '-infinity',
  -- Kinds that the portal does not show.
  hidden text[] not null default '{}'
);
