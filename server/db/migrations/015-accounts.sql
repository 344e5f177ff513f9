-- Who may log in, said once: why an account may not, null when it may (rules/account#login-refusals). The order is that in
-- which the reasons are told. A moment other than now may be asked about.
create function login_refusal(account users, today date default (now() at time zone 'Asia/Seoul')::date)
returns text language sql stable parallel safe as $$
  select case
    when account.withdrawn_at is not null then 'ACCOUNT_WITHDRAWN'
    when account.approval_code <> 'MEMAP001' then 'ACCOUNT_NOT_APPROVED'
    when account.suspended_at is not null then 'ACCOUNT_SUSPENDED'
    when account.valid_from > today then 'ACCOUNT_NOT_YET_VALID'
    when account.valid_to < today then 'ACCOUNT_EXPIRED'
  end
$$;

-- What roles were is read back from the trail under the names of the code.
create function pg_temp.renamed(role jsonb) returns jsonb language sql as $$
  select case when role ? 'ROLE_NAME' then jsonb_build_object(
    'roleName', role -> 'ROLE_NAME', 'roleNameEn', role -> 'ROLE_NAME_EN', 'functions', role -> 'FUNCTIONS') else role end
$$;
update audit_log set detail = detail || jsonb_build_object(
  'before', pg_temp.renamed(detail -> 'before'), 'after', pg_temp.renamed(detail -> 'after'))
where action like 'role.%';
drop function pg_temp.renamed;
