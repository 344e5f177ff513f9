-- The search field finds names by the initial consonants of their syllables (rules/users#search-field), such as ㄱㅁㅅ.
create function initials_of(words text) returns text language sql immutable parallel safe
  return (select coalesce(string_agg(case when letter collate "C" between '가' and '힣'
      then substr('ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ', (ascii(letter) - 44032) / 588 + 1, 1) else letter end, '' order by at), '')
    from unnest(string_to_array(words, null)) with ordinality as letters (letter, at));
-- Without fastupdate, as `users_pairs`.
create index users_initials on users using gin (pairs_of(initials_of(name))) with (fastupdate = off);
