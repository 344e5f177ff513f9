-- The index of a notice's title also holds every three characters in a row: a text that few notices have is found by
-- them even where its pairs stand in many ("9999" in a board full of "99", design/search#notices-by-title-and-author). What is kept count of stays
-- characters and pairs.

-- Every one, two and three characters in a row of a text, once each, in lower case.
create function notice_index_grams(words text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}') from (
    select unnest(array[c, c || lead(c) over w, c || lead(c) over w || lead(c, 2) over w]) as gram
    from unnest(string_to_array(lower(words), null)) with ordinality as chars (c, i) window w as (order by i)
  ) as grams where gram is not null
$$;
-- Of those, the ones that a title with the text must have and that say most: the longest.
create function notice_search_grams(words text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(gram), '{}') from unnest(notice_index_grams(words)) as grams (gram)
  where char_length(gram) = least(3, char_length(lower(words)))
$$;
drop index notices_grams;
create index notices_grams on notices using gin (notice_index_grams(title));
