-- Whether a search by name needs two characters.
alter table settings
  add column name_search text not null default 'any' check (name_search in ('any', 'two'));
