-- Second factors of a day that were checked and not right, under whatever passwords: a password that is mailed does not end this count.
alter table factor_failures
  add column all_failures integer not null default 0,
  add column all_since timestamptz not null default now();
-- Second factors that were wrong in a session. They end the session, and lock no login.
alter table sessions add column factor_tries integer not null default 0;
