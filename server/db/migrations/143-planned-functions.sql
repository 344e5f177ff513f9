-- Functions of every call in PL/pgSQL, which keeps their plans: of an SQL function that cannot be inlined, PostgreSQL parses and plans
-- the body with each statement that calls it, which took longer than the rest of the session's query.
create or replace function has_second_factor(of_user bigint) returns boolean stable language plpgsql as $$
begin
  return exists (select from totp_secrets t where t.user_id = of_user)
    or exists (select from passkeys p where p.user_id = of_user);
end $$;

create or replace function affiliation_within(top text) returns text[] stable parallel safe language plpgsql as $$
begin
  return (
    with recursive branch as (
      select code, 1 as depth from codes where group_code = 'COMBEL001' and code = top
      union all
      select c.code, b.depth + 1 from branch b
        join codes c on c.group_code = 'COMBEL001' and c.parent_code = b.code
        where b.depth < 4
    )
    select coalesce(array_agg(code order by code), '{}') from branch);
end $$;

create or replace function external_within(own text) returns text[] stable parallel safe language plpgsql as $$
begin
  return (
    with recursive up as (
      select code, parent_code, is_external, 1 as depth from codes where group_code = 'COMBEL001' and code = own
      union all
      select c.code, c.parent_code, c.is_external, u.depth + 1 from up u
        join codes c on c.group_code = 'COMBEL001' and c.code = u.parent_code
        where not u.is_external and u.depth < 4
    )
    select affiliation_within(code) from up where is_external);
end $$;

create or replace function affiliations_reached(own text, span text) returns text[] stable parallel safe language plpgsql as $$
begin
  return case when span = 'branch' then affiliation_within(own)
    -- Every call asks. Most portals have no other company.
    when exists (select from codes where is_external) then external_within(own) end;
end $$;
