-- A second factor beside the password (design/second-factors#login-ticket).

-- The secret that somebody's authenticator app has, one a person: encrypted by a key of the key secret.
create table totp_secrets (
  user_id bigint primary key references users on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- The time step of the last code that was used: none of it or before it counts again.
  last_step bigint not null
);

-- Codes for whoever has lost the rest, each for one login: SHA-256 of 80 random bits.
create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Between the password and the second factor of a login; there is no session yet.
create table login_tickets (
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  -- Of the browser and network that it was given to, and of the password that was right: SHA-256 of each.
  browser_hash bytea not null,
  password_mark bytea not null,
  created_at timestamptz not null default now()
);
create index login_tickets_user on login_tickets (user_id);
create index login_tickets_created on login_tickets (created_at);

-- Whether somebody has a second factor: whoever logs in is asked for it then.
create function has_second_factor(of_user bigint) returns boolean stable language sql
  return exists (select from totp_secrets t where t.user_id = of_user);
