-- Rights are reviewed every quarter (design/inspections-and-reviews#quarterly-access-review). What was reviewed is kept with its words: a report says the same when roles are
-- called otherwise and people are gone.
create table rights_reviews (
  quarter date primary key,
  taken_at timestamptz not null default now(),
  taker_name text not null,
  opinion text not null default '',
  signed_at timestamptz,
  signer_login_id text not null default '',
  signer_name text not null default ''
);

create table rights_review_items (
  id bigint generated always as identity primary key,
  quarter date not null references rights_reviews,
  role_code text not null,
  role_name text not null,
  role_name_en text not null,
  functions text[] not null,
  -- Of a role: how many have it.
  members bigint,
  -- Of a person who has it.
  person_id bigint,
  login_id text not null default '',
  name text not null default '',
  may_log_in boolean,
  last_login_at timestamptz,
  decision text not null default '' check (decision in ('', 'CONFIRMED', 'WITHDRAWN')),
  remark text not null default '',
  remarked_at timestamptz,
  remarker_id bigint,
  remarker_name text not null default '',
  unique nulls not distinct (quarter, role_code, person_id)
);

-- What was signed is as it was, whoever serves and whatever is asked for.
create function rights_review_is_signed() returns trigger language plpgsql as $$
begin
  if old.signed_at is not null then raise exception 'the review of rights of % is signed', old.quarter; end if;
  return coalesce(new, old);
end $$;
create trigger rights_reviews_stay before update or delete on rights_reviews
  for each row execute function rights_review_is_signed();

create function rights_review_items_stay() returns trigger language plpgsql as $$
begin
  if exists (select from rights_reviews where signed_at is not null
    and quarter in (coalesce(old.quarter, new.quarter), coalesce(new.quarter, old.quarter)))
  then raise exception 'the review of rights of % is signed', coalesce(old.quarter, new.quarter); end if;
  return coalesce(new, old);
end $$;
create trigger rights_review_items_stay before insert or update or delete on rights_review_items
  for each row execute function rights_review_items_stay();

-- The first quarter in which somebody is reminded: the one after that in which the portal was set up, or came to know reviews.
alter table settings add column reviews_from date not null
  default (date_trunc('quarter', now() at time zone 'Asia/Seoul') + interval '3 months')::date;
