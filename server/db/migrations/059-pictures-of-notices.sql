-- Pictures in the text of a notice (design/notices#images-in-a-text): files of the notice like the attached one, so that whatever asks which files rows
-- name knows them, with what the text calls each by. Before their notice is saved they are uploads.
alter table notice_files
  -- What the text calls it by; null for the attached file.
  add column picture text,
  -- As it is shown, in pixels: its place is kept before it is there.
  add column width integer,
  add column height integer,
  add constraint notice_files_picture_size check ((picture is null) = (width is null) and (width is null) = (height is null));
alter table uploads
  add column picture text,
  -- Once it is stored and was looked at.
  add column width integer,
  add column height integer;

-- One attached file per notice, and one picture of a name.
drop index notice_files_notice;
create unique index notice_files_notice on notice_files (notice_id) where picture is null;
-- Of every file, too: by it those of a deleted notice are found.
create unique index notice_files_picture on notice_files (notice_id, picture);
