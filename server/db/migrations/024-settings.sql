-- What an administrator sets for the whole portal, one row. Null: nobody has said it, the configuration's or Maru's own
-- value holds. An installation that is in use already needs no guide.
create table settings (
  id boolean primary key default true check (id),
  company_name text,
  logo_text text,
  portal_url text,
  offices jsonb,
  logo bytea,
  logo_type text,
  -- Names the image: its address changes with it.
  logo_digest text,
  -- The mail server and sender with which a test mail last left; null: with none yet.
  mail_tested text,
  setup_state text not null default 'open' check (setup_state in ('open', 'later', 'finished')),
  changed_at timestamptz,
  changed_by bigint references users (id),
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_digest is null))
);
insert into settings (setup_state) select case when exists (select from users) then 'finished' else 'open' end;
