-- Teams below affiliations and who is in them (design/roles-and-reach#teams). A membership permits nothing.
create table teams (
  id bigint generated always as identity primary key,
  affiliation_code text not null,
  parent_id bigint,
  name text not null,
  name_en text not null default '',
  created_at timestamptz not null default now(),
  unique (id, affiliation_code),
  constraint teams_parent foreign key (parent_id, affiliation_code) references teams (id, affiliation_code)
);
create unique index teams_name on teams (affiliation_code, parent_id, lower(name)) nulls not distinct;
create index teams_below on teams (parent_id);

create table user_teams (
  user_id bigint not null references users on delete cascade,
  team_id bigint not null references teams,
  is_main boolean not null,
  primary key (user_id, team_id)
);
create unique index user_teams_main on user_teams (user_id) where is_main;
create index user_teams_team on user_teams (team_id, user_id) include (is_main);

-- The team and those below it. Ends at the greatest depth, so a cycle cannot loop.
create function teams_within(top bigint) returns bigint[] stable parallel safe language sql as $$
  with recursive part as (
    select id, 1 as depth from teams where id = top
    union all
    select t.id, p.depth + 1 from part p join teams t on t.parent_id = p.id where p.depth < 6
  )
  select coalesce(array_agg(id order by id), '{}') from part
$$;

-- The names from the highest team down to this one, as users write a team in a file. Without an English name the Korean one is used.
create function team_path(team bigint, is_english boolean) returns text stable parallel safe language sql as $$
  with recursive up as (
    select t.*, 1 as depth from teams t where id = team
    union all
    select t.*, u.depth + 1 from up u join teams t on t.id = u.parent_id where u.depth < 6
  )
  select string_agg(case when is_english and name_en <> '' then name_en else name end, ' > ' order by depth desc) from up
$$;

-- Refuses teams of more than six levels, and so every cycle: the way up from a team of a cycle never ends.
create function check_team_depth() returns trigger language plpgsql as $$
begin
  if exists (
    with recursive up as (
      select id, parent_id, 1 as depth from teams
      union all
      select u.id, t.parent_id, u.depth + 1 from up u join teams t on t.id = u.parent_id where u.depth <= 6
    )
    select from up where depth > 6
  ) then
    raise exception 'The teams have more than six levels or a cycle'
      using errcode = 'check_violation', constraint = 'teams_depth';
  end if;
  return null;
end
$$;
create trigger teams_depth after insert or update of parent_id on teams
  for each statement execute function check_team_depth();

-- A main team is of its member's own affiliation: a user who moves leaves it. Other memberships stay.
create function leave_main_team() returns trigger language plpgsql as $$
begin
  delete from user_teams m using teams t
    where m.user_id = new.id and m.is_main and t.id = m.team_id and t.affiliation_code <> new.affiliation_code;
  return null;
end
$$;
create trigger users_leave_team after update of affiliation_code on users for each row
  when (old.affiliation_code is distinct from new.affiliation_code) execute function leave_main_team();
