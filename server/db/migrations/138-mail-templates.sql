-- Texts of mails that the company edited (design/mail-and-notifications#mail-templates).
create table mail_templates (
  kind text not null,
  language text not null,
  -- '' for the text that Maru ships.
  subject text not null,
  text text not null,
  changed_by bigint not null references users,
  changed_at timestamptz not null default now(),
  primary key (kind, language)
);
create index mail_templates_changed_by on mail_templates (changed_by);
-- Rises with each change, so that servers read the texts only then.
alter table settings add column mail_templates_version integer not null default 0;
