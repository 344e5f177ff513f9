-- What the law calls the record of granting, changing and removing rights (design/inspections-and-reviews#quarterly-access-review), told apart from whatever else the trail holds.
create function is_rights_record(action text, detail jsonb) returns boolean language sql immutable parallel safe as $$
  select action in ('user.register', 'user.import', 'user.approve', 'user.extend', 'user.suspend', 'user.lift', 'user.withdraw',
      'user.restore', 'user.remove', 'role.create', 'role.rename', 'role.grant', 'role.revoke', 'role.remove')
    or (action = 'user.update' and detail ?| array['role_code', 'approval_code', 'valid_from', 'valid_to'])
$$;

create index audit_log_rights on audit_log (at, id) where is_rights_record(action, detail);

-- Three years they stay, whatever deletes from the trail and however it is set: what would be deleted earlier is passed over.
create function rights_records_stay() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger audit_log_rights_stay before delete on audit_log for each row
  when (is_rights_record(old.action, old.detail) and old.at > now() - interval '3 years')
  execute function rights_records_stay();
