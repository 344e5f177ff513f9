-- Roles that administrators make, and accounts that end, are suspended and are told so.

-- Built-in roles are neither renamed nor removed.
alter table roles add column built_in boolean not null default false;
update roles set built_in = true where code in ('AUT001', 'AUT002', 'AUT003');
create unique index roles_name_en on roles (lower(name_en));
-- A code is never given twice: the audit trail names roles by it.
create sequence role_number start 4;
-- 관리자 holds every function, always; what was taken by hand before comes back.
insert into role_functions select r.code, f.name from roles r, functions f where r.code = 'AUT001'
  on conflict do nothing;

alter table users
  add column suspended_at timestamptz,
  -- When somebody last decided that the account is needed: disuse is not counted from before that, and nobody is
  -- warned of an end that was set after the day of the warning.
  add column confirmed_at timestamptz not null default now();
create index users_ending on users (valid_to) where withdrawn_at is null;
create index users_suspended on users (suspended_at) where suspended_at is not null;

-- Here and not in the handlers: approving, extending or lifting, by whatever call, confirms the account.
create function users_confirm() returns trigger language plpgsql as $$
begin
  new.confirmed_at := now();
  return new;
end $$;
create trigger users_confirm before update of approval_code, valid_from, valid_to, suspended_at on users
  for each row when (
    (old.approval_code, old.valid_from, old.valid_to, old.suspended_at)
      is distinct from (new.approval_code, new.valid_from, new.valid_to, new.suspended_at)
  ) execute function users_confirm();

-- One row per warning that was queued: a second one of the same kind about the same is never sent.
create table account_notices (
  user_id bigint not null references users on delete cascade,
  kind text not null,
  -- What it was about: the end date, or the day from which disuse counted.
  about date not null,
  created_at timestamptz not null default now(),
  primary key (user_id, kind, about)
);

-- One row per job and Korean day: of several servers one does it, in the transaction of its row.
create table daily_runs (
  job text not null,
  day date not null,
  done_at timestamptz not null default now(),
  primary key (job, day)
);

-- The record of changes to roles is read by action.
create index audit_log_action on audit_log (action text_pattern_ops, id desc);
