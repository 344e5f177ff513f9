-- Whom a notice is for, by affiliation and by role; null: everybody. Who fits in both sees it.
alter table notices
  add column audience_affiliations text[] check (cardinality(audience_affiliations) > 0),
  add column audience_roles text[] check (cardinality(audience_roles) > 0);

-- What a list leaves out of its count for somebody: few among all, and found without reading the notices.
create index notices_restricted on notices (published_at) include (author_id, audience_affiliations, audience_roles)
  where audience_affiliations is not null or audience_roles is not null;

-- The two orders of the board say of each notice whether somebody sees it, as they do of what is not published yet.
drop index notices_newest;
create index notices_newest on notices (published_at desc, id desc)
  include (author_id, pinned_until, audience_affiliations, audience_roles);
drop index notices_board;
create index notices_board on notices (published_at desc, id desc, lower(title))
  include (title, author_id, pinned_until, audience_affiliations, audience_roles);
