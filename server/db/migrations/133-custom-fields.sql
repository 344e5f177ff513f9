-- The employee number of a user, and the values of up to ten further fields that the company defines, by their place (custom1 to custom10).
alter table users
  add column employee_number text,
  add column custom_values jsonb not null default '{}';
create unique index users_employee_number on users (employee_number)
  where employee_number is not null and withdrawn_at is null;

-- The definitions of the fields, in their order.
alter table settings add column custom_fields jsonb not null default '[]';

-- The search field finds employee numbers too.
drop index users_pairs;
create index users_pairs on users using gin (pairs_of(lower(login_id || E'\n' || name || E'\n' || email || E'\n' || phone_number
  || E'\n' || coalesce(employee_number, '')))) with (fastupdate = off);
