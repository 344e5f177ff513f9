-- What people call a partner, whom to ask there, and whether it may be issued keys at all.
alter table partners
  add column name text not null default '',
  add column contact text not null default '',
  add column stopped_at timestamptz;
-- Whoever removes an account looks for the keys that it revoked: few, among all.
create index issued_keys_revoked_by on issued_keys (revoked_by) where revoked_by is not null;
