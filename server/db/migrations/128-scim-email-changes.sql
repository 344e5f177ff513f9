-- When SCIM changed the email of an account: its password is not reset by a mail for some days after that (rules/scim#fields).
alter table scim_users add column email_changed_at timestamptz;
