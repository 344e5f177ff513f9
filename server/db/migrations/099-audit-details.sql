-- Audit details have one spelling, and lists of users hold their IDs (design/audit-log#details-of-a-row).

create function camel_case(name text) returns text language sql immutable as $$
  select string_agg(case when place = 1 then part else upper(left(part, 1)) || substr(part, 2) end, '' order by place)
  from string_to_table(name, '_') with ordinality as p (part, place)
$$;
create function camel_case_keys(value jsonb) returns jsonb language plpgsql immutable as $$
begin
  case jsonb_typeof(value)
    when 'object' then return (
      select coalesce(jsonb_object_agg(camel_case(key), camel_case_keys(inside)), '{}')
      from jsonb_each(value) as each (key, inside));
    when 'array' then return (
      select coalesce(jsonb_agg(camel_case_keys(entry) order by place), '[]')
      from jsonb_array_elements(value) with ordinality as e (entry, place));
    else return value;
  end case;
end $$;
update audit_log set detail = camel_case_keys(detail) where detail::text ~ '"[a-z]+(_[a-z]+)+":';
-- The changed columns of a notice are values.
update audit_log set detail = detail || jsonb_build_object('changed', (
    select jsonb_agg(camel_case(name) order by place)
    from jsonb_array_elements_text(detail -> 'changed') with ordinality as c (name, place)))
  where action = 'notice.update' and detail ->> 'changed' like '%\_%' and jsonb_typeof(detail -> 'changed') = 'array';
drop function camel_case_keys, camel_case;

-- Lists of users: login IDs, pairs with a role, or objects with a login ID as `user`. A login ID that no account of the row has
-- or had gets null.
update audit_log l set detail = l.detail - 'users' || jsonb_build_object(
    case when l.action like '%-affiliation' then 'moves' else 'users' end, (
      select coalesce(jsonb_agg(
        case jsonb_typeof(entry)
          when 'object' then entry - 'user'
          when 'array' then jsonb_build_object('roleCode', entry -> 1)
          else '{}'
        end || jsonb_build_object('loginId', login_id, 'id', (
          select i.user_id::text from login_ids i where i.login_id = named.login_id and 'user/' || i.user_id = any (l.records)
        )) order by place), '[]')
      from jsonb_array_elements(l.detail -> 'users') with ordinality as u (entry, place),
        lateral (select coalesce(entry ->> 0, entry ->> 'user', entry #>> '{}') as login_id) as named))
  where l.action in ('user.import', 'user.approve', 'user.refuse', 'user.approve-affiliation', 'user.refuse-affiliation')
    and jsonb_typeof(l.detail -> 'users') = 'array';

-- Affiliations of rows that were written before rows had records. Their target is a list of codes.
update audit_log set records = array(
    select 'affiliation/' || code from string_to_table(target, ', ') as code)
  where action like 'affiliation.%' and action <> 'affiliation.order' and records is null and target <> '';

drop index audit_log_rights;
create or replace function is_rights_record(action text, detail jsonb) returns boolean language sql immutable parallel safe as $$
  select action in ('user.register', 'user.import', 'user.approve', 'user.extend', 'user.suspend', 'user.lift', 'user.withdraw',
      'user.restore', 'user.remove', 'role.create', 'role.rename', 'role.grant', 'role.revoke', 'role.remove')
    or (action = 'user.update' and detail ?| array['roleCode', 'approvalCode', 'validFrom', 'validTo'])
$$;
create index audit_log_rights on audit_log (at, id) where is_rights_record(action, detail);
