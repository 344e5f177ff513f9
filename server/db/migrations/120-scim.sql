-- Provisioning by SCIM 2.0 (rules/scim).

alter table identity_providers
  -- Affiliation of new accounts that name none.
  add column scim_affiliation_code text,
  -- Since when suspensions and withdrawals by SCIM are stopped, because there were too many.
  add column scim_stopped_at timestamptz,
  -- Until when their number is not limited.
  add column scim_released_until timestamptz;

create table scim_tokens (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  -- SHA-256 of the token.
  token_hash bytea not null unique,
  created_by bigint not null references users,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index scim_tokens_provider on scim_tokens (provider_id);
create index scim_tokens_created_by on scim_tokens (created_by);

-- The accounts that a provider manages, and their attributes as it sent them.
create table scim_users (
  user_id bigint primary key references users on delete cascade,
  provider_id bigint not null references identity_providers on delete cascade,
  user_name text not null,
  external_id text collate "C",
  -- Whether SCIM created the account; false for an adopted one.
  is_made boolean not null,
  attributes jsonb not null default '{}',
  -- The suspension that SCIM made, as in users.suspended_at; SCIM lifts no other.
  suspended_at timestamptz,
  -- The withdrawal that SCIM made, as in users.withdrawn_at; the provider may create the account again, which takes it back.
  withdrawn_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index scim_users_name on scim_users (provider_id, lower(user_name));
create unique index scim_users_external_id on scim_users (provider_id, external_id);
create index scim_users_order on scim_users (provider_id, user_id);

-- Accounts that a provider wants to create and that exist. They wait for an administrator.
create table scim_candidates (
  user_id bigint not null references users on delete cascade,
  provider_id bigint not null references identity_providers on delete cascade,
  user_name text not null,
  external_id text,
  asked_at timestamptz not null default now(),
  primary key (provider_id, user_id)
);
create index scim_candidates_user on scim_candidates (user_id);

-- Suspensions and withdrawals by SCIM, for their limit.
create table scim_endings (
  provider_id bigint not null references identity_providers on delete cascade,
  at timestamptz not null default now()
);
create index scim_endings_at on scim_endings (provider_id, at);

create table scim_groups (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  display_name text not null,
  external_id text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index scim_groups_name on scim_groups (provider_id, lower(display_name));
create table scim_group_members (
  group_id bigint not null references scim_groups on delete cascade,
  user_id bigint not null references scim_users on delete cascade,
  primary key (group_id, user_id)
);
create index scim_group_members_user on scim_group_members (user_id);
