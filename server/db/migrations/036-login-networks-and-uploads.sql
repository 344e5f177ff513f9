-- From which networks somebody has logged in: there they are not locked out by the wrong passwords of others.
create table login_networks (
  user_id bigint not null references users on delete cascade,
  network text not null,
  last_login_at timestamptz not null default now(),
  primary key (user_id, network)
);

-- What one person has on the way in, and of what they sent was deleted.
create index uploads_user on uploads (user_id);
