-- A second factor that somebody's role has to have (design/second-factors#required-factors).

-- Since when people of the role need one; null: they do not.
alter table roles add factor_required_since timestamptz;

alter table settings add factor_grace_days integer not null default 14 check (factor_grace_days between 0 and 90);

-- Since when the duties of their role count for somebody.
alter table users add duties_since timestamptz not null default now();

-- Another role brings a grace of its own, unless the one before had the same duty: moving about prolongs nothing.
create function keep_duties() returns trigger language plpgsql as $$
begin
  new.duties_since := coalesce(
    (select greatest(old.duties_since, r.factor_required_since) from roles r
      where r.code = old.role_code and r.factor_required_since is not null),
    now());
  return new;
end $$;
create trigger users_duties before update of role_code on users for each row
  when (new.role_code <> old.role_code) execute function keep_duties();

-- The last day on which somebody who has to have a second factor may do without; null for whoever has one, or needs none. No days of
-- grace: the day before it began.
create function factor_day(account users) returns date stable language sql
  return (
    select (greatest(r.factor_required_since, account.duties_since) at time zone 'Asia/Seoul')::date
      + s.factor_grace_days - (s.factor_grace_days = 0)::integer
    from roles r, settings s
    where r.code = account.role_code and r.factor_required_since is not null and not has_second_factor(account.id));
