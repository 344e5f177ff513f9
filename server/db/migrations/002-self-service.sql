-- E-mail certification and outgoing mail.

-- One live code per purpose and e-mail: a new one replaces the old.
create table certifications (
  type_code text not null,
  email text not null,
  -- The user ID that the code is bound to; '' where there is none (find ID).
  login_id text not null,
  salt bytea not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (type_code, email)
);

-- Written with what the mail is about, in one transaction: a crash loses neither. Gone once it is sent.
create table mails (
  id bigint generated always as identity primary key,
  -- null: nobody is to get it. Written all the same, so that an unknown address takes as long as a known one.
  recipient text,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamptz not null default now(),
  -- A code that has run out is not sent any more.
  expires_at timestamptz,
  next_try_at timestamptz not null default now(),
  tries integer not null default 0,
  last_error text,
  -- Refused for good; its words are wiped.
  failed_at timestamptz
);
create index mails_due on mails (next_try_at) where failed_at is null;
