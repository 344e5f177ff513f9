-- Administrators see and end the sessions of others, and settings say how many there may be and from where (design/sessions#binding-to-a-network).
alter table sessions
  -- Names it without saying anything of its token.
  add column id bigint generated always as identity unique,
  -- Whether its person had logged in from its network before.
  add column place_known boolean not null default true,
  -- It was used from elsewhere than where it began: it lets nobody in any more, and says why until its time is over.
  add column moved_at timestamptz;

alter table settings
  add column session_limit integer not null default 0 check (session_limit between 0 and 50),
  add column session_binding text not null default 'off' check (session_binding in ('off', 'network', 'exact')),
  add column admin_networks text[] not null default '{}' check (cardinality(admin_networks) <= 100);
