-- Whether the validity period of a user must have an end.
alter table settings
  add column validity_end text not null default 'required' check (validity_end in ('required', 'optional'));
