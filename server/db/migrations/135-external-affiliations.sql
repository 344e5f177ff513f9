-- Affiliations that are another company, with those below them (design/roles-and-reach#external-affiliations).
alter table codes
  add column is_external boolean not null default false,
  add constraint codes_external check (not is_external or group_code = 'COMBEL001');
create index codes_external_ones on codes (code) where is_external;

-- Every affiliation of another company.
create function external_affiliations() returns text[] stable parallel safe language sql as $$
  with recursive outside as (
    select code from codes where is_external
    union
    select c.code from outside o join codes c on c.group_code = 'COMBEL001' and c.parent_code = o.code
  )
  select coalesce(array_agg(code), '{}') from outside
$$;

-- The affiliations of the company that an affiliation belongs to: the nearest external one above it or itself, and those below that.
-- Null for an affiliation of the portal's own company.
create function external_within(own text) returns text[] stable parallel safe language sql as $$
  with recursive up as (
    select code, parent_code, is_external, 1 as depth from codes where group_code = 'COMBEL001' and code = own
    union all
    select c.code, c.parent_code, c.is_external, u.depth + 1 from up u
      join codes c on c.group_code = 'COMBEL001' and c.code = u.parent_code
      where not u.is_external and u.depth < 4
  )
  select affiliation_within(code) from up where is_external
$$;

-- The affiliations that the permissions of a role of this span reach; null for all.
create function affiliations_reached(own text, span text) returns text[] stable parallel safe language sql as $$
  select case when span = 'branch' then affiliation_within(own)
    -- Every call asks. Most portals have no other company.
    when exists (select from codes where is_external) then external_within(own) end
$$;
