-- An upload begins when its file is picked: without a notice, whose file it becomes when that is saved (design/uploads-and-files#upload-before-the-notice).
alter table uploads
  alter column notice_id drop not null,
  -- All of it is here and was looked at, and waits for its notice.
  add column stored_at timestamptz,
  -- Of the file at its person's, in milliseconds: by it they choose the same one again.
  add column last_modified bigint;
