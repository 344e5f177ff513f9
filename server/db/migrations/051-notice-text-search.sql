-- What notices say, and what their files are called, is found by any part of it: every character and every two in a row,
-- without the signs of Markdown (design/notices#markdown). Not a function of SQL, which PostgreSQL writes out and then takes for cheap: it
-- would rather cut 100,000 texts than look for what nearly all of them have. It calls none of ours: an index is built
-- without their schema in sight. Without fastupdate, as `users_text` (design/search#users-by-name-and-phone-number).
create function grams_of(words text) returns text[] language plpgsql immutable parallel safe cost 100000 as $$
begin
  return string_to_array(words, null) || string_to_array(regexp_replace(words, '(..)', E'\\1\x01', 'g') || E'\x01'
    || regexp_replace(substr(words, 2), '(..)', E'\\1\x01', 'g'), E'\x01');
end $$;
create index notices_words on notices using gin (grams_of(lower(coalesce(memo_text, memo)))) with (fastupdate = off);
create index notice_files_words on notice_files using gin (grams_of(lower(original_name))) with (fastupdate = off);
