-- Programs that issue keys have tokens of their own (design/partners-and-programs#program-tokens).

create table program_tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text collate "C" not null,
  -- SHA-256: reading the table does not let anyone become a program.
  token_hash bytea not null unique,
  -- What it was before it was rolled over, good until then.
  previous_hash bytea unique,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_address text,
  -- Where it has been used from, the newest last: a new one is put on record.
  networks text[] not null default '{}',
  ended_at timestamptz,
  end_reason text check (end_reason in ('expired', 'revoked', 'account')),
  check ((ended_at is null) = (end_reason is null)),
  check ((previous_hash is null) = (previous_until is null))
);
create unique index program_tokens_name on program_tokens (user_id, lower(name)) where ended_at is null;
create index program_tokens_user on program_tokens (user_id, id);

-- With the account they end for good: whatever makes it valid again, none of them comes back. A password that somebody
-- else chose says that its owner had lost it.
create function end_program_tokens() returns trigger language plpgsql as $$
begin
  update program_tokens set ended_at = now(), end_reason = 'account' where user_id = new.id and ended_at is null;
  return null;
end $$;
create trigger users_end_program_tokens after update on users for each row
  when (login_refusal(old) is not null or login_refusal(new) is not null or (new.password_temporary and not old.password_temporary))
  execute function end_program_tokens();
