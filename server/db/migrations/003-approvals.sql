-- Requests for an account, and what became of them.

create table approval_requests (
  id bigint generated always as identity primary key,
  -- null: refused, and the account that was asked for is no more (design/accounts#approval-requests).
  user_id bigint references users on delete set null,
  -- Who asked, as it was then: it outlives the account.
  login_id text not null,
  name text not null,
  email text not null,
  affiliation_code text not null,
  requested_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused')),
  decided_by bigint references users,
  decided_at timestamptz,
  -- Why it was refused.
  reason text,
  check ((state = 'waiting') = (decided_at is null) and (state = 'waiting') = (decided_by is null)),
  check ((state = 'refused') = (reason is not null)),
  check (user_id is not null or state = 'refused')
);
create unique index approval_requests_open on approval_requests (user_id) where state = 'waiting';
create index approval_requests_oldest on approval_requests (requested_at, id) where state = 'waiting';
create index approval_requests_user on approval_requests (user_id);
create index approval_requests_email on approval_requests (email);

-- A refused applicant's account goes; what it did stays in the trail, which names it by its ID.
alter table audit_log drop constraint audit_log_actor_id_fkey;
alter table audit_log add constraint audit_log_actor_id_fkey
  foreign key (actor_id) references users on delete set null;
create index audit_log_actor on audit_log (actor_id);

-- Those who wait have asked. Those who logged in once were approved then, and lost it: that is no request.
insert into approval_requests (user_id, login_id, name, email, affiliation_code, requested_at)
  select id, login_id, name, email, affiliation_code, created_at from users
  where approval_code = 'MEMAP002' and withdrawn_at is null and last_login_at is null
  order by created_at, id;
