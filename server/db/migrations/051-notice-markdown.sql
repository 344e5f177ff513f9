-- How the text of a notice is written, and without its signs: that is what is searched and told of it elsewhere (design/notices#markdown).
-- What is there is plain, and so is what a caller writes who does not know the difference.
alter table notices
  add column memo_format text not null default 'plain' check (memo_format in ('plain', 'markdown')),
  -- null: the text has no signs.
  add column memo_text text;
