-- Tokens of services end and can be rolled over (design/partners-and-programs#program-tokens).

-- Null: those that were made before had no end, and get one when they are rolled over.
alter table service_tokens
  add column expires_at timestamptz,
  add column previous_hash bytea unique,
  add column previous_until timestamptz,
  add check ((previous_hash is null) = (previous_until is null));
