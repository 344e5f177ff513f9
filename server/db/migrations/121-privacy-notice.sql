-- The versions of the privacy notice, and which user accepted which version when (design/settings#privacy-notice).
create table privacy_notices (
  version integer primary key,
  text_ko text not null,
  -- '' for none: English pages show the Korean text.
  text_en text not null,
  -- Whether users must accept this version before they go on; the first version is always material.
  is_material boolean not null,
  published_by bigint not null references users,
  published_at timestamptz not null default now()
);
create index privacy_notices_published_by on privacy_notices (published_by);

create table privacy_acceptances (
  user_id bigint not null references users on delete cascade,
  version integer not null references privacy_notices,
  accepted_at timestamptz not null default now(),
  primary key (user_id, version)
);
create index privacy_acceptances_version on privacy_acceptances (version);
