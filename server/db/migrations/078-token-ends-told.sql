-- Whose token ends soon is told, some days before (design/mail-and-notifications#expiring-tokens).

-- Until when all that is to be told of the end is told, or was not yet to be: the making, the rollover, the last time it was told.
alter table program_tokens add column told_at timestamptz not null default now();
alter table service_tokens add column told_at timestamptz not null default now();
