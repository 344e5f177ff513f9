-- Logins by OpenID Connect (rules/sso).

create table identity_providers (
  id bigint generated always as identity primary key,
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Encrypted with the key secret for this issuer and client, so that it opens for no other.
  client_secret bytea not null,
  -- Claim that names a person: `oid` only for Entra, whose `sub` differs between clients.
  subject_claim text not null default 'sub' check (subject_claim in ('sub', 'oid')),
  -- Empty for every domain.
  email_domains text[] not null default '{}',
  -- What happens to a person without a linked account.
  first_login text not null default 'refuse' check (first_login = 'refuse'),
  -- Whether a login of this provider needs no second factor of Maru.
  factor_counts boolean not null default false,
  version integer not null default 1,
  -- Version of the settings with which a test login last succeeded.
  tried_version integer,
  enabled_at timestamptz check (enabled_at is null or tried_version is not null),
  created_at timestamptz not null default now()
);

-- Who a person at a provider is. Never found by e-mail.
create table identities (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  subject text not null collate "C",
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  constraint identities_subject unique (provider_id, subject),
  constraint identities_user unique (user_id, provider_id)
);

-- Logins that wait for the answer of a provider, for ten minutes.
create table sso_states (
  state_hash bytea primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  provider_version integer not null,
  purpose text not null check (purpose in ('login', 'link', 'try')),
  -- Who links or tries; null for a login.
  user_id bigint references users on delete cascade check ((user_id is null) = (purpose = 'login')),
  nonce text not null,
  verifier text not null,
  -- Of a random value that only the browser has in which this began.
  binding_hash bytea not null,
  created_at timestamptz not null default now()
);
create index sso_states_provider on sso_states (provider_id);
create index sso_states_user on sso_states (user_id);
create index sso_states_created on sso_states (created_at);

-- How a session or a waiting login began; null for a password. They end with the provider.
alter table sessions add provider_id bigint references identity_providers on delete cascade;
create index sessions_provider on sessions (provider_id) where provider_id is not null;
alter table login_tickets add provider_id bigint references identity_providers on delete cascade;
create index login_tickets_provider on login_tickets (provider_id) where provider_id is not null;
