-- What one administrator asks for and another decides: that somebody's second factors are removed (design/four-eyes#reset-of-second-factors).
create table factor_resets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  asked_by bigint not null references users,
  asked_at timestamptz not null default now(),
  reason text not null,
  -- One that waits ends by itself after some days, without being written.
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'refused', 'withdrawn', 'needless')),
  decided_by bigint references users,
  decided_at timestamptz,
  decision_reason text
);
create index factor_resets_user on factor_resets (user_id);
create index factor_resets_asked_by on factor_resets (asked_by);
create index factor_resets_decided_by on factor_resets (decided_by);
-- What waits, for who may decide: few.
create index factor_resets_waiting on factor_resets (asked_at) where state = 'waiting';
