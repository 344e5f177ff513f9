-- How many people there are, by what user search is narrowed by most: written with every change, so that no list counts
-- them one by one (design/lists-and-counts#stored-counts). A change adds rows, and never waits for another's; `mergeUserCounts` adds them up.
-- A server of the version before that still runs waits: what it wrote meanwhile would be counted by nobody.
lock table users in share row exclusive mode;
create table user_counts (
  affiliation_code text not null,
  role_code text not null,
  approval_code text not null,
  n integer not null
);
insert into user_counts select affiliation_code, role_code, approval_code, count(*) from users
  where withdrawn_at is null group by 1, 2, 3;

create function count_user() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.withdrawn_at is null then
    insert into user_counts values (old.affiliation_code, old.role_code, old.approval_code, -1);
  end if;
  if tg_op <> 'DELETE' and new.withdrawn_at is null then
    insert into user_counts values (new.affiliation_code, new.role_code, new.approval_code, 1);
  end if;
  return null;
end $$;
create trigger users_counted after insert or delete on users for each row execute function count_user();
create trigger users_counted_anew after update of affiliation_code, role_code, approval_code, withdrawn_at on users for each row
  when ((old.affiliation_code, old.role_code, old.approval_code, old.withdrawn_at is null)
    is distinct from (new.affiliation_code, new.role_code, new.approval_code, new.withdrawn_at is null))
  execute function count_user();
create function uncount_users() returns trigger language plpgsql as $$
begin
  truncate user_counts;
  return null;
end $$;
create trigger users_uncounted after truncate on users execute function uncount_users();

-- In the orders that people ask for, as `users_newest` in the list's own: a page is read, not sorted out of everybody.
create index users_by_name on users (lower(name) collate "C", created_at desc, id desc) include (name, role_code)
  where withdrawn_at is null;
create index users_by_id on users (login_id, created_at desc, id desc) include (role_code) where withdrawn_at is null;
create index users_by_phone on users (phone_number collate "C", created_at desc, id desc) include (role_code)
  where withdrawn_at is null;
create index users_by_email on users (email collate "C", created_at desc, id desc) include (role_code)
  where withdrawn_at is null;
