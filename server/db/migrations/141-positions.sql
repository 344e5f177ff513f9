-- The positions that users may have, in their order; empty for any (rules/settings#positions).
alter table settings add column positions text[] not null default '{}';
