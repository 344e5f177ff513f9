-- Replies to comments: one level deep. A reply names its thread, and the comment that it answers.
alter table notice_comments
  add column thread_id bigint references notice_comments,
  add column answered_id bigint references notice_comments,
  -- A deleted comment with replies stays without its text and author.
  alter column author_id drop not null,
  add constraint notice_comments_reply check ((thread_id is null) = (answered_id is null)),
  add constraint notice_comments_deleted check (author_id is not null or body = '');
-- The order of the list: the newest thread first, each with its replies from the oldest to the newest.
drop index notice_comments_newest;
create index notice_comments_threads on notice_comments (notice_id, coalesce(thread_id, id) desc, id);
create index notice_comments_thread on notice_comments (thread_id) where thread_id is not null;
create index notice_comments_answered on notice_comments (answered_id) where answered_id is not null;
