-- Links that are mailed to people, each used once: to make the first password of an account that was made for them, and to
-- certify an address that an administrator has entered. The token is kept as its SHA-256; another one replaces it.
create table account_links (
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('INVITATION', 'EMAIL')),
  -- The address that is certified by it, and who asked for it: nobody can confirm what they could not ask for any more.
  email text,
  requested_by bigint references users on delete cascade,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (user_id, kind),
  check ((kind = 'EMAIL') = (requested_by is not null))
);
create index account_links_requested_by on account_links (requested_by) where requested_by is not null;

alter table users
  -- When a temporary password ends; null for one that stays, and for the first administrator's, whom nobody could send another.
  add column temporary_until timestamptz,
  -- Whether somebody ever approved the account: one that nobody did can be removed for good.
  add column was_approved boolean not null default true;
update users set temporary_until = now() + interval '24 hours'
  where password_temporary and id <> (select min(id) from users);
update users set was_approved = false where approval_code = 'MEMAP002' and last_login_at is null
  and exists (select from approval_requests r where r.user_id = users.id and r.state = 'waiting')
  and not exists (select from approval_requests r where r.user_id = users.id and r.state = 'approved');

create function users_approved() returns trigger language plpgsql as $$
begin
  new.was_approved := new.approval_code = 'MEMAP001' or (tg_op = 'UPDATE' and old.was_approved);
  return new;
end $$;
create trigger users_approved before insert or update of approval_code on users
  for each row execute function users_approved();
