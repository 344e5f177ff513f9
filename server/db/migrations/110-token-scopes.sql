-- What a program token may do as plain JSON, and from where (rules/keys#scopes). Tokens without scopes issue keys as before.
alter table program_tokens
  add column scopes text[] not null default '{}',
  add column allowed_networks cidr[] not null default '{}';
