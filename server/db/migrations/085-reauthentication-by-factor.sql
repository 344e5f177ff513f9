-- When the user of a session last proved a second factor in it, and by which. The password alone does not reauthenticate a user
-- who has one.
alter table sessions
  add factor_checked_at timestamptz,
  add factor_checked_by text collate "C",
  -- The challenge for a passkey, in base64url: random, used once, and replaced by the next one.
  add challenge text collate "C",
  add challenged_at timestamptz;
