-- The orders of 020 with the approval. The list leaves the accounts of programs out by it, and reads a page from the index alone.
drop index users_by_name, users_by_id, users_by_phone, users_by_email;
create index users_by_name on users (lower(name) collate "C", created_at desc, id desc) include (name, role_code, approval_code)
  where withdrawn_at is null;
create index users_by_id on users (login_id, created_at desc, id desc) include (role_code, approval_code)
  where withdrawn_at is null;
create index users_by_phone on users (phone_number collate "C", created_at desc, id desc) include (role_code, approval_code)
  where withdrawn_at is null;
create index users_by_email on users (email collate "C", created_at desc, id desc) include (role_code, approval_code)
  where withdrawn_at is null;
