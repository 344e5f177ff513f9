-- Issued keys come from one of several secrets: the one that is in use, and those before it that keys still need (design/keys#key-secret-rotation).
create table key_secrets (
  version integer primary key,
  -- It tells two secrets apart and no more.
  fingerprint bytea not null unique,
  since timestamptz not null default now(),
  -- Lost for good, as an operator said: a start without it is not refused any more.
  forgotten_at timestamptz,
  -- The keys of it that are not revoked, as the last look counted them: for the metric, which must not count.
  live_keys integer not null default 0
);
insert into key_secrets (version, fingerprint, since)
  select 1, fingerprint, coalesce((select min(issued_at) from issued_keys), now()) from key_secret;
drop table key_secret;

alter table issued_keys add column secret_version integer not null default 1;
create index issued_keys_secret on issued_keys (secret_version, user_id) where revoked_at is null;
