-- Passkeys beside authenticator apps (design/second-factors#passkeys).

-- Public keys whose private half a device, a security key or a password manager keeps: what is here is no secret.
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text collate "C" not null,
  -- The host name of the portal that it was made for: browsers offer it nowhere else.
  rp_id text collate "C" not null,
  -- What the device calls it, in base64url.
  credential_id text collate "C" not null unique,
  public_key bytea not null,
  -- How often it has signed, as the device counts; many count nothing.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);

-- What a new passkey has to answer, one a person: used up with it.
create table passkey_enrolments (
  user_id bigint primary key references users on delete cascade,
  challenge text collate "C" not null,
  created_at timestamptz not null default now()
);

-- What a passkey has to sign for a login, in base64url: used up with the ticket.
alter table login_tickets add challenge text collate "C";

create or replace function has_second_factor(of_user bigint) returns boolean stable language sql
  return exists (select from totp_secrets t where t.user_id = of_user)
    or exists (select from passkeys p where p.user_id = of_user);
