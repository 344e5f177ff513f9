-- What makes every page of every notice search cost the same at 10,000 and at 1,000,000 notices (design/search#notices-by-title-and-author). The board
-- is divided into blocks of neighbours; per block and term it is kept how many notices have the term in their title,
-- in their author's name, or in either. A change only marks its block, and a job counts it anew.

-- Every character and every pair of characters of a text, once each, in lower case.
create function notice_grams(words text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}') from (
    select unnest(array[c, c || lead(c) over (order by i)]) as gram
    from unnest(string_to_array(lower(words), null)) with ordinality as chars (c, i)
  ) as grams where gram is not null
$$;
create index notices_grams on notices using gin (notice_grams(title));

create table notice_blocks (
  id bigint generated always as identity primary key,
  -- From this key of the board's order up to that of the next block.
  from_at timestamptz not null,
  from_id bigint not null,
  notices integer not null default 0,
  -- What is kept of the block does not hold at the moment: it is counted as it is asked for.
  is_stale boolean not null default true,
  unique (from_at, from_id)
);
insert into notice_blocks (from_at, from_id) values ('-infinity', 0);

create table notice_hits (
  term text collate "C" not null,
  block_id bigint not null references notice_blocks on delete cascade,
  in_title integer not null,
  in_author integer not null,
  in_either integer not null,
  primary key (term, block_id) include (in_title, in_author, in_either)
);
create index notice_hits_block on notice_hits (block_id);

-- Longer texts that many notices have and somebody searched for: counted like characters and pairs.
create table notice_terms (
  term text collate "C" primary key,
  is_counted boolean not null default false,
  asked_at timestamptz not null default now()
);

-- Marks the blocks of these keys. The lock, shared among writers, keeps the counting out until they commit.
create function notice_blocks_mark(at timestamptz[], ids bigint[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7120418);
  update notice_blocks b set is_stale = true
  from (
    select distinct (
      select k.id from notice_blocks k where (k.from_at, k.from_id) <= (c.at, c.id)
      order by k.from_at desc, k.from_id desc limit 1
    ) as id
    from unnest(at, ids) as c (at, id)
  ) as touched
  where b.id = touched.id and not b.is_stale;
end $$;

create function notice_blocks_follow() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform notice_blocks_mark(
      array_agg(k.at), array_agg(k.id)
    ) from before o join changed n using (id)
      cross join lateral (values (o.published_at, o.id), (n.published_at, n.id)) as k (at, id)
      where (o.title, o.author_id, o.published_at) is distinct from (n.title, n.author_id, n.published_at)
      having count(*) > 0;
  else
    perform notice_blocks_mark(array_agg(published_at), array_agg(id)) from changed having count(*) > 0;
  end if;
  return null;
end $$;
create trigger notice_blocks_insert after insert on notices referencing new table as changed
  for each statement execute function notice_blocks_follow();
create trigger notice_blocks_update after update on notices referencing old table as before new table as changed
  for each statement execute function notice_blocks_follow();
create trigger notice_blocks_delete after delete on notices referencing old table as changed
  for each statement execute function notice_blocks_follow();

create function notice_blocks_follow_name() returns trigger language plpgsql as $$
begin
  perform notice_blocks_mark(array_agg(published_at), array_agg(id)) from notices where author_id = new.id
    having count(*) > 0;
  return null;
end $$;
create trigger notice_blocks_name after update of name on users
  for each row when (old.name is distinct from new.name) execute function notice_blocks_follow_name();

create function notice_blocks_forget() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7120418);
  update notice_blocks set is_stale = true;
  return null;
end $$;
create trigger notice_blocks_truncate after truncate on notices
  for each statement execute function notice_blocks_forget();
