-- Roles by the groups that an identity provider names at a login (rules/sso#groups).
alter table identity_providers
  -- Claim with the groups of a person; empty: none.
  add groups_claim text not null default '',
  -- '<role code> <group>', the first match first.
  add group_roles text[] not null default '{}';
