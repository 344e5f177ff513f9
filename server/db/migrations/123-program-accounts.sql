-- Programs of the company have accounts of their own (design/partners-and-programs#program-accounts). Their row of users has the approval
-- code PROGRAM: no condition on approved accounts includes it, so a program cannot log in.
create table program_accounts (
  user_id bigint primary key references users on delete cascade,
  scopes text[] not null check (cardinality(scopes) > 0),
  allowed_networks cidr[] not null default '{}'
);
create unique index users_program_name on users (lower(name)) where approval_code = 'PROGRAM' and withdrawn_at is null;

-- Whether a token of the account is accepted, and its keys are valid: a user may log in, or a program is enabled and not expired.
create function may_call(account users, today date default (now() at time zone 'Asia/Seoul')::date)
returns boolean language sql stable parallel safe as $$
  select login_refusal(account, today) is null or account.approval_code = 'PROGRAM' and account.withdrawn_at is null
    and account.suspended_at is null and coalesce(account.valid_to >= today, true)
$$;

-- The tokens of a disabled or expired program stay: it is enabled or extended with them.
drop trigger users_end_program_tokens on users;
create trigger users_end_program_tokens after update on users for each row
  when (new.approval_code <> 'PROGRAM' and
    (login_refusal(old) is not null or login_refusal(new) is not null or (new.password_temporary and not old.password_temporary)))
  execute function end_program_tokens();

-- A program account has a role too. No earlier row is of these kinds, so the index stays right.
create or replace function is_rights_record(action text, detail jsonb) returns boolean language sql immutable parallel safe as $$
  select action in ('user.register', 'user.import', 'user.approve', 'user.extend', 'user.suspend', 'user.lift', 'user.withdraw',
      'user.restore', 'user.remove', 'role.create', 'role.rename', 'role.grant', 'role.revoke', 'role.remove', 'affiliation.parent',
      'program.register', 'program.update', 'program.remove')
    or (action = 'user.update' and detail ?| array['roleCode', 'approvalCode', 'validFrom', 'validTo', 'branchRole'])
    or (action = 'user.approve-affiliation' and jsonb_path_exists(detail, '$.moves[*].branchRole'))
$$;
