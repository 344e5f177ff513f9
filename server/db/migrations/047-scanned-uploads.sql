-- When an upload was found clean, so that nothing is scanned twice; or what was found in it, and when. What was is attached to
-- nothing, and its bytes are kept for some days.
alter table uploads
  add column scanned_at timestamptz,
  add column quarantined_at timestamptz,
  add column finding text;
create index uploads_quarantined on uploads (quarantined_at) where quarantined_at is not null;
