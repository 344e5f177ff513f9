-- Whether a permission is granted only with a reason.
alter table settings
  add column grant_reasons text not null default 'optional' check (grant_reasons in ('optional', 'required'));
