-- Every login ID that an account has or had: it stays with its account, and only its owner has it again.

create table login_ids (
  login_id text collate "C" primary key,
  user_id bigint not null references users on delete cascade
);
create index login_ids_user on login_ids (user_id);
insert into login_ids select login_id, id from users;

-- What was an ID of somebody by the trail, and is nobody else's today, is theirs again.
insert into login_ids
select distinct on (former) former, u.id
from audit_log l
cross join lateral (select l.detail -> 'login_id' ->> 'before' as former) as name
join users u on 'user/' || u.id = any (l.records)
where l.action = 'user.update' and l.detail ? 'login_id' and former is not null
order by former, l.id desc
on conflict do nothing;

-- The primary key decides between two who want one at once.
create function keep_login_id() returns trigger language plpgsql as $$
begin
  insert into login_ids values (new.login_id, new.id) on conflict do nothing;
  if not exists (select from login_ids where login_id = new.login_id and user_id = new.id) then
    raise unique_violation using constraint = 'users_login_id_key', message = 'The login ID is or was somebody else''s';
  end if;
  return null;
end $$;
create trigger users_login_id_kept after insert on users for each row execute function keep_login_id();
create trigger users_login_id_kept_anew after update of login_id on users for each row
  when (new.login_id is distinct from old.login_id) execute function keep_login_id();
