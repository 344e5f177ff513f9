-- Files on their way in, files on their way out, and links to download (design/uploads-and-files#rows-before-bytes, design/uploads-and-files#downloads).

-- One file per notice, even of two attached at the same time.
drop index notice_files_notice;
create unique index notice_files_notice on notice_files (notice_id);

-- Set by the sweep: the storage no longer holds what the row names.
alter table notice_files add column missing_since timestamptz;
create index notice_files_missing on notice_files (missing_since) where missing_since is not null;

-- Written before the first byte is kept, so that no byte is kept that nothing names.
create table uploads (
  -- FILE_ID of the file, once it is attached.
  id uuid primary key,
  user_id bigint not null references users,
  -- No reference: the row outlives its notice, or nobody would find the bytes.
  notice_id bigint not null,
  replaces_file_id uuid,
  original_name text not null,
  -- null: known at the end (multipart).
  size_bytes bigint,
  save_path text not null,
  save_file_name text not null,
  -- What the storage has to remember of a file that is not complete; its own words.
  storage_state text not null default '',
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  -- Who writes to it now, in whichever process: a lease that is renewed, or the writer is gone.
  held_by uuid,
  held_until timestamptz,
  release_wanted boolean not null default false,
  cancelled boolean not null default false,
  -- Attached: the bytes are notice_files' now.
  finished_at timestamptz,
  unique (save_path, save_file_name)
);
create index uploads_touched on uploads (touched_at);

-- Files that no notice has any more. Their bytes are kept for some days: a caller may delete the old file before
-- it uploads the new one.
create table discarded_files (
  id uuid primary key,
  notice_id bigint not null,
  save_path text not null,
  save_file_name text not null,
  original_name text not null,
  size_bytes bigint not null,
  created_at timestamptz not null,
  discarded_at timestamptz not null default now(),
  unique (save_path, save_file_name)
);
create index discarded_files_at on discarded_files (discarded_at);

-- A trigger, so that a file goes this way however its row goes, with its notice too.
create function discard_file() returns trigger language plpgsql as $$
begin
  insert into discarded_files (id, notice_id, save_path, save_file_name, original_name, size_bytes, created_at)
  values (old.id, old.notice_id, old.save_path, old.save_file_name, old.original_name, old.size_bytes, old.created_at);
  return null;
end $$;
create trigger notice_files_discard after delete on notice_files
  for each row execute function discard_file();

create table file_links (
  -- SHA-256 of what stands in the link.
  token_hash bytea primary key,
  file_id uuid not null references notice_files on delete cascade,
  session_hash bytea not null references sessions on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  used_address text
);
create index file_links_file on file_links (file_id);
create index file_links_session on file_links (session_hash);

-- Whose files a storage holds: no sweep touches those of another database.
create table installation (id uuid primary key default gen_random_uuid());
insert into installation default values;
