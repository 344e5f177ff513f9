-- Everything that the calls keep. What lists sort by is collate "C": by code point, which is dictionary
-- order in Korean, on every database. Not users.name: "C" knows no capitals but A to Z, and it is searched without
-- regard to them.

create table codes (
  group_code text not null,
  code text not null,
  name_ko text not null,
  name_en text not null,
  sort_order integer not null,
  primary key (group_code, code)
);

create table roles (
  code text primary key,
  group_name text collate "C" not null unique,
  name_en text not null,
  sort_order integer not null
);

create table functions (
  name text primary key
);

create table role_functions (
  role_code text not null references roles on delete cascade,
  function_name text not null references functions on delete cascade,
  primary key (role_code, function_name)
);

create table menus (
  url text primary key,
  high_ko text not null,
  high_en text not null,
  low_ko text not null,
  low_en text not null,
  -- null: open to everybody who is signed in
  function_name text references functions,
  sort_order integer not null
);

create table provinces (
  code text primary key,
  name text collate "C" not null unique
);

create table districts (
  code text primary key,
  province_code text not null references provinces,
  name text collate "C" not null,
  x double precision not null,
  y double precision not null,
  unique (province_code, name)
);

create table partners (
  id bigint generated always as identity primary key,
  code text collate "C" not null unique,
  type text not null check (type in ('fa', 'pa')),
  affiliation_code text not null,
  -- Names and codes as they were when the record was written: regions are renamed and merged.
  province_code text not null,
  province_name text not null,
  district_name text not null,
  x double precision not null,
  y double precision not null,
  -- -1 = no limit
  limit_day integer not null default -1 check (limit_day >= -1),
  limit_week integer not null default -1 check (limit_week >= -1),
  limit_month integer not null default -1 check (limit_month >= -1),
  limit_total integer not null default -1 check (limit_total >= -1),
  valid_from date,
  valid_to date,
  memo text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (valid_from <= valid_to)
);
create index partners_affiliation on partners (affiliation_code);

create table users (
  id bigint generated always as identity primary key,
  -- Kept in lower case: IDs are compared case-insensitively, and a withdrawn one is never free again.
  login_id text collate "C" not null unique check (login_id = lower(login_id)),
  password_hash text not null,
  -- A temporary password: only a change of it is answered.
  password_temporary boolean not null default false,
  name text not null,
  position text not null,
  phone_number text not null,
  email text not null check (email = lower(email)),
  affiliation_code text not null,
  role_code text not null references roles,
  approval_code text not null,
  valid_from date,
  valid_to date,
  partner_id bigint references partners,
  language text not null default 'ko' check (language in ('ko', 'en')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_login_at timestamptz,
  withdrawn_at timestamptz,
  check (valid_from <= valid_to)
);
create unique index users_email_active on users (email) where withdrawn_at is null;
create index users_newest on users (created_at desc, id desc) where withdrawn_at is null;
create index users_partner on users (partner_id);
create index users_role on users (role_code);

-- The last passwords, so that they are not used again.
create table password_history (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  password_hash text not null,
  created_at timestamptz not null default now()
);
create index password_history_user on password_history (user_id, id desc);

create table sessions (
  -- SHA-256 of SESSION_UID: reading the table does not let anyone become somebody.
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- When the password re-entry gate was passed.
  password_checked_at timestamptz,
  address text not null,
  user_agent text not null
);
create index sessions_user on sessions (user_id);

-- Wrong passwords in a row, by the ID as typed: unknown IDs are counted alike, so that nobody learns
-- which ones exist.
create table login_failures (
  login_id text primary key,
  failures integer not null,
  last_failed_at timestamptz not null default now()
);

create table notices (
  id bigint generated always as identity primary key,
  bullet_code text not null,
  title text not null,
  memo text,
  author_id bigint not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index notices_newest on notices (created_at desc, id desc);
create index notices_author on notices (author_id);

create table notice_files (
  id uuid primary key,
  notice_id bigint not null references notices on delete cascade,
  -- Where the storage keeps it; made by the server, opaque to the client.
  save_path text not null,
  save_file_name text not null,
  original_name text not null,
  size_bytes bigint not null,
  created_at timestamptz not null default now(),
  unique (save_path, save_file_name)
);
create index notice_files_notice on notice_files (notice_id);

create table issued_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- The installed program's own key of the request; the issued key itself is derived, never stored.
  request_key text not null,
  partner_id bigint not null references partners,
  affiliation_code text not null,
  province_name text not null,
  district_name text not null,
  issued_at timestamptz not null default now(),
  unique (user_id, request_key)
);
create index issued_keys_newest on issued_keys (issued_at desc, id desc);
create index issued_keys_partner on issued_keys (partner_id, issued_at);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  -- null: nobody was signed in
  actor_id bigint references users,
  target text,
  detail jsonb not null default '{}',
  address text not null,
  request_id text not null
);
create index audit_log_at on audit_log (at desc);
create index audit_log_target on audit_log (target, at desc);

-- Owned by rate-limiter-flexible: the columns are its own.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
