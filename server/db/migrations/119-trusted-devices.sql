-- Devices on which a login needs no second factor (design/second-factors#trusted-devices).

-- Whether users of the role may trust a device.
alter table roles add devices_trusted boolean not null default false;

create table trusted_devices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- SHA-256 of the secret in the cookie.
  token_hash bytea not null unique,
  user_agent text not null,
  address text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index trusted_devices_user on trusted_devices (user_id, id);
create index trusted_devices_created on trusted_devices (created_at);

-- Triggers, because many paths change passwords, roles, accounts and factors.
create function end_trust_with_account() returns trigger language plpgsql as $$
begin
  delete from trusted_devices where user_id = new.id;
  return null;
end $$;
create trigger users_end_trust after update on users for each row
  when (new.password_hash <> old.password_hash or new.role_code <> old.role_code
    or login_refusal(old) is not null or login_refusal(new) is not null)
  execute function end_trust_with_account();

create function end_trust_with_factor() returns trigger language plpgsql as $$
begin
  delete from trusted_devices where user_id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger totp_secrets_end_trust after insert or delete on totp_secrets for each row
  execute function end_trust_with_factor();
-- A use of the app updates its row, too. Another app is newer.
create trigger totp_secrets_end_trust_anew after update on totp_secrets for each row
  when (new.created_at > old.created_at) execute function end_trust_with_factor();
create trigger passkeys_end_trust after insert or delete on passkeys for each row execute function end_trust_with_factor();
create trigger recovery_codes_end_trust after insert or delete on recovery_codes for each row
  execute function end_trust_with_factor();
