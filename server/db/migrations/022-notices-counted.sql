-- How many notices there are, added up like `user_counts` (design/lists-and-counts#stored-counts).
-- A server of the version before that still runs waits: what it wrote meanwhile would be counted by nobody.
lock table notices in share row exclusive mode;
create table notice_counts (n integer not null);
insert into notice_counts select count(*) from notices;
create function count_notices() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then insert into notice_counts select count(*) from changed;
    when 'DELETE' then insert into notice_counts select -count(*) from changed;
    else truncate notice_counts;
  end case;
  return null;
end $$;
create trigger notices_counted after insert on notices referencing new table as changed
  for each statement execute function count_notices();
create trigger notices_uncounted after delete on notices referencing old table as changed
  for each statement execute function count_notices();
create trigger notices_emptied after truncate on notices execute function count_notices();

-- The board as it is leafed through: a tenth of `notices_board`, which holds the titles for a search.
create index notices_newest on notices (published_at desc, id desc) include (author_id, pinned_until);
