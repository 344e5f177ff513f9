-- The affiliations form a tree, and the permissions of a role may end at its holder's branch (design/roles-and-reach#branches).
alter table roles
  add column span text not null default 'all' check (span in ('all', 'branch')),
  add constraint roles_built_in_span check (span = 'all' or not built_in);

alter table codes
  add column parent_code text,
  add constraint codes_parent foreign key (group_code, parent_code) references codes (group_code, code),
  add constraint codes_parent_group check (parent_code is null or group_code = 'COMBEL001');

-- The affiliation and those below it; no code for one that does not exist. Ends at the greatest depth, so a cycle cannot loop.
create function affiliation_within(top text) returns text[] stable parallel safe language sql as $$
  with recursive branch as (
    select code, 1 as depth from codes where group_code = 'COMBEL001' and code = top
    union all
    select c.code, b.depth + 1 from branch b
      join codes c on c.group_code = 'COMBEL001' and c.parent_code = b.code
      where b.depth < 4
  )
  select coalesce(array_agg(code order by code), '{}') from branch
$$;

-- Refuses a tree of more than four levels, and so every cycle: the way up from an affiliation of a cycle never ends.
create function check_affiliation_depth() returns trigger language plpgsql as $$
begin
  if exists (
    with recursive up as (
      select code, parent_code, 1 as depth from codes where group_code = 'COMBEL001'
      union all
      select c.code, c.parent_code, u.depth + 1 from up u
        join codes c on c.group_code = 'COMBEL001' and c.code = u.parent_code
        where u.depth <= 4
    )
    select from up where depth > 4
  ) then
    raise exception 'The affiliations have more than four levels or a cycle'
      using errcode = 'check_violation', constraint = 'codes_parent_depth';
  end if;
  return null;
end
$$;
create trigger codes_parent_depth after update of parent_code on codes
  for each statement execute function check_affiliation_depth();

-- A move of a user with a branch role, and a move of an affiliation, change permissions. No earlier row is of these kinds, so the index
-- stays right.
create or replace function is_rights_record(action text, detail jsonb) returns boolean language sql immutable parallel safe as $$
  select action in ('user.register', 'user.import', 'user.approve', 'user.extend', 'user.suspend', 'user.lift', 'user.withdraw',
      'user.restore', 'user.remove', 'role.create', 'role.rename', 'role.grant', 'role.revoke', 'role.remove', 'affiliation.parent')
    or (action = 'user.update' and detail ?| array['roleCode', 'approvalCode', 'validFrom', 'validTo', 'branchRole'])
    or (action = 'user.approve-affiliation' and jsonb_path_exists(detail, '$.moves[*].branchRole'))
$$;
