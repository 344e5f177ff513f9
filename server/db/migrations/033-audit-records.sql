-- The trail is searched, and each record shows its own part of it (design/audit-log#records-of-a-row).

-- Which records a row is about, as 'user/12': login IDs and partner codes change hands, these do not. null: none that
-- has a history.
alter table audit_log add column records text[];

-- Rows of before: by the name that they were written with, since the record that bears it now was made, unless a login ID
-- was ever changed from or to it. Few of all rows: not those of keys and logins.
update audit_log l set records = array['user/' || u.id] from users u
  where l.action like 'user.%' and l.target = u.login_id and l.at >= u.created_at
    -- As one set, which is hashed once.
    and l.target not in (
      select name from audit_log r,
        unnest(array[r.detail -> 'login_id' ->> 'before', r.detail -> 'login_id' ->> 'after']) as name
      where r.action = 'user.update' and r.detail ? 'login_id' and name is not null);
update audit_log l set records = array(
    select 'user/' || u.id from jsonb_array_elements_text(l.detail -> 'users') as name (login_id)
    join users u on u.login_id = name.login_id and u.created_at <= l.at)
  where l.action in ('user.approve', 'user.refuse') and jsonb_typeof(l.detail -> 'users') = 'array';
update audit_log l set records = array['partner/' || p.id] from partners p
  where l.action in ('partner.create', 'partner.update') and l.target = p.code and l.at >= p.created_at;
update audit_log set records = array['notice/' || target]
  where action like 'notice.%' and action <> 'notice.export' and target ~ '^\d+$';
update audit_log set records = array['notice/' || (detail ->> 'noticeId')]
  where action like 'file.%' and detail ? 'noticeId';
update audit_log set records = array['role/' || target] where action like 'role.%' and target is not null;
create index audit_log_records on audit_log using gin (records) where records is not null;

-- In the order of the list, by whatever it is narrowed by.
drop index audit_log_at;
drop index audit_log_actor;
drop index audit_log_action;
drop index audit_log_target;
create index audit_log_newest on audit_log (at desc, id desc) include (action);
create index audit_log_actor on audit_log (actor_id, at desc, id desc) include (action);
create index audit_log_action on audit_log (action text_pattern_ops, at desc, id desc);
create index audit_log_address on audit_log (address, at desc, id desc);
create index audit_log_target on audit_log (target, at desc, id desc);

-- How many rows there are by Korean day and action, added up like `key_totals` (design/lists-and-counts#stored-counts). The trail is only added to.
create table audit_counts (day date not null, action text not null, n integer not null);
insert into audit_counts
  select (at at time zone 'Asia/Seoul')::date, action, count(*) from audit_log group by 1, 2;
create function count_audit() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then insert into audit_counts
      select (at at time zone 'Asia/Seoul')::date, action, count(*) from changed group by 1, 2;
    when 'DELETE' then insert into audit_counts
      select (at at time zone 'Asia/Seoul')::date, action, -count(*) from changed group by 1, 2;
    else truncate audit_counts;
  end case;
  return null;
end $$;
create trigger audit_counted after insert on audit_log referencing new table as changed
  for each statement execute function count_audit();
create trigger audit_uncounted after delete on audit_log referencing old table as changed
  for each statement execute function count_audit();
create trigger audit_emptied after truncate on audit_log execute function count_audit();
