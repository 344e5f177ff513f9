-- Wrong passwords and second factors in a row that were really checked, whatever time passes (design/login-attempts#disabled-password). After a lock of 15
-- minutes `failures` begins anew, and `total` does not.
alter table login_failures add column total integer not null default 0;

-- Second factors of a day that were checked and not right, under one password: another one counts anew.
create table factor_failures (
  user_id bigint primary key references users on delete cascade,
  -- SHA-256 of the hash of the password that was right.
  password_mark bytea not null,
  failures integer not null,
  since timestamptz not null default now()
);
