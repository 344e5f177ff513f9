-- A notice search reads the whole board in one index and keeps no counts (design/search#notices-by-title-and-author).
drop trigger notice_blocks_insert on notices;
drop trigger notice_blocks_update on notices;
drop trigger notice_blocks_delete on notices;
drop trigger notice_blocks_truncate on notices;
drop trigger notice_blocks_name on users;
drop function notice_blocks_follow();
drop function notice_blocks_follow_name();
drop function notice_blocks_forget();
drop function notice_blocks_mark(timestamptz[], bigint[]);
drop table notice_hits, notice_blocks, notice_terms;
drop index notices_grams;
drop function notice_search_grams(text);
drop function notice_index_grams(text);
drop function notice_grams(text);

-- In the order of the board, with all that a search looks at: the notices themselves are only read to be shown. The title
-- stands there twice, because PostgreSQL reads lower(title) from an index only where the title itself is in it too.
drop index notices_board;
create index notices_board on notices (published_at desc, id desc, lower(title)) include (title, author_id, pinned_until);
