-- Searches that people keep under a name of their own (design/search#saved-searches).
create table saved_searches (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  list text not null check (list = 'users'),
  name text not null check (char_length(name) between 1 and 40),
  -- What is kept of a list: filters, order and rows a page, by their names in the contract.
  conditions jsonb not null,
  created_at timestamptz not null default now()
);
create unique index saved_searches_name on saved_searches (user_id, list, lower(name));
