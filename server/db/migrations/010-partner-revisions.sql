-- What servers keep their memory of the partners up to date by (design/partners-and-programs#regions-of-a-partner).

-- One row, which every change of partners holds until it commits: a number is one state of the whole table.
create table partner_revision (
  only_one boolean primary key default true check (only_one),
  revision bigint not null
);
insert into partner_revision (revision) values (1);

-- Of every partner that ever was: the revision that it last changed with. One that is deleted stays here.
create table partner_changes (
  partner_id bigint primary key,
  revision bigint not null
);
create index partner_changes_revision on partner_changes (revision);

-- Here and not in the handlers: whatever writes partners, also an import by hand, is seen by every server.
create function partner_changed() returns trigger language plpgsql as $$
declare
  current bigint;
begin
  update partner_revision set revision = revision + 1 returning revision into current;
  if tg_op = 'TRUNCATE' then
    update partner_changes set revision = current;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into partner_changes select id, current from old_partners
      on conflict (partner_id) do update set revision = excluded.revision;
  end if;
  if tg_op <> 'DELETE' then
    insert into partner_changes select id, current from new_partners
      on conflict (partner_id) do update set revision = excluded.revision;
  end if;
  return null;
end $$;
create trigger partners_inserted after insert on partners
  referencing new table as new_partners for each statement execute function partner_changed();
create trigger partners_updated after update on partners
  referencing new table as new_partners old table as old_partners for each statement execute function partner_changed();
create trigger partners_deleted after delete on partners
  referencing old table as old_partners for each statement execute function partner_changed();
create trigger partners_truncated after truncate on partners
  for each statement execute function partner_changed();

-- Last: the triggers have waited for those who were writing, so nobody is left out.
insert into partner_changes select id, 1 from partners;
