-- The servers that run, and by what they have to be alike: two that keep files or derive keys differently would each lose what
-- the other made (design/several-copies#identical-configuration).
create table servers (
  id uuid primary key,
  name text not null,
  storage uuid not null,
  key_secret bytea not null,
  envelope bytea not null,
  seen_at timestamptz not null default now()
);
