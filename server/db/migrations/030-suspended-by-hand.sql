-- Why an account is suspended: null for disuse, otherwise what the administrator chose who did it, and in their words.
alter table users
  add column suspended_for text check (suspended_for in ('LEAVE', 'INCIDENT', 'OTHER')),
  add column suspended_reason text;

create or replace function login_refusal(account users, today date default (now() at time zone 'Asia/Seoul')::date)
returns text language sql stable parallel safe as $$
  select case
    when account.withdrawn_at is not null then 'ACCOUNT_WITHDRAWN'
    when account.approval_code <> 'MEMAP001' then 'ACCOUNT_NOT_APPROVED'
    when account.suspended_at is not null and account.suspended_for is not null then 'ACCOUNT_SUSPENDED_BY_HAND'
    when account.suspended_at is not null then 'ACCOUNT_SUSPENDED'
    when account.valid_from > today then 'ACCOUNT_NOT_YET_VALID'
    when account.valid_to < today then 'ACCOUNT_EXPIRED'
  end
$$;
