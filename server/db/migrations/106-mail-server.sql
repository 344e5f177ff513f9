-- Mail server and sender that administrators set in the portal; SMTP_URL and MAIL_FROM override them.
alter table settings
  -- Without user and password. Null: none, emails become files.
  add column mail_url text,
  add column mail_user text not null default '',
  -- Encrypted with the key secret for this server and user, so that it opens for no other.
  add column mail_password bytea,
  add column mail_from text;
