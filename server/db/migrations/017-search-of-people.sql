-- A search of 100,000 people reads those that it finds and not all of them (design/search#users-by-name-and-phone-number).

-- What a name and a phone number are found by: each letter, and every three digits in a row.
create function letters_of(words text) returns text[] language sql immutable parallel safe
  return string_to_array(lower(words), null);
create function digits_of(phone text) returns text[] language sql immutable parallel safe
  return array[substr(phone, 1, 3), substr(phone, 2, 3), substr(phone, 3, 3), substr(phone, 4, 3), substr(phone, 5, 3),
    substr(phone, 6, 3), substr(phone, 7, 3), substr(phone, 8, 3), substr(phone, 9, 3)];
-- Of withdrawn accounts too: PostgreSQL uses no statistics of a partial index, and keys name people who have left. Without
-- fastupdate: a search would read what was written since the last vacuum.
create index users_text on users using gin (letters_of(name), digits_of(phone_number)) with (fastupdate = off);

-- In the list's own order, with what nearly every search is narrowed by: counted without reading the rows.
drop index users_newest;
create index users_newest on users (created_at desc, id desc) include (role_code, approval_code, name) where withdrawn_at is null;
create index users_affiliation on users (affiliation_code, created_at desc, id desc) include (role_code, approval_code, name)
  where withdrawn_at is null;
