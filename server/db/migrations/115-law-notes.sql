-- The basis and the remark of the company on entries of the register of laws, by the name of the entry (rules/audit#law-notes).
alter table settings add column law_notes jsonb not null default '{}';
