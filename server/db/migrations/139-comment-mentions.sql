-- People whom a comment mentions. The name is the one in its text, which an erasure replaces.
create table notice_comment_mentions (
  comment_id bigint not null references notice_comments on delete cascade,
  user_id bigint not null references users,
  name text not null,
  primary key (comment_id, user_id, name)
);
create index notice_comment_mentions_user on notice_comment_mentions (user_id);
