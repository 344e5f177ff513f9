-- Notifications store who caused them as a row, not as a name, so that an erased person leaves no name behind (design/erasure#ids-of-erased-accounts).
alter table notifications add column actor_id bigint references users on delete cascade;
create index notifications_actor on notifications (actor_id) where actor_id is not null;

-- The author of the comment that the notification came with; or else the only account of that name.
update notifications n
set actor_id = coalesce(
  (select c.author_id from notice_comments c
    where c.notice_id = n.notice_id and c.created_at between n.at - interval '10 seconds' and n.at
    order by c.created_at desc, c.id desc limit 1),
  (select min(u.id) from users u where u.name = n.detail ->> 'name' having count(*) = 1))
where n.kind = 'NOTICE_COMMENT' and n.detail ? 'name';
-- The comment is gone and nobody can be mapped: the account may be erased.
delete from notifications where kind = 'NOTICE_COMMENT' and detail ? 'name' and actor_id is null;
update notifications set detail = detail - 'name' where kind = 'NOTICE_COMMENT' and detail ? 'name';

-- Keys for the digests of erased accounts' login IDs. Each is encrypted by the key secret, which the database does not have.
create table login_id_keys (
  id bigint generated always as identity primary key,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- The server checks erased IDs: it alone can make their digest. Digests of before stay until the next start makes them keyed.
create or replace function keep_login_id() returns trigger language plpgsql as $$
begin
  insert into login_ids values (new.login_id, new.id) on conflict do nothing;
  if not exists (select from login_ids where login_id = new.login_id and user_id = new.id) then
    raise unique_violation using constraint = 'users_login_id_key', message = 'The login ID is or was somebody else''s';
  end if;
  return null;
end $$;
drop function erased_login_id(text);
