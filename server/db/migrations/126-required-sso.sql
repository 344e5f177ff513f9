-- Roles whose users log in by an identity provider alone (rules/sso#required).
alter table roles add sso_required boolean not null default false;

-- Accounts that may still log in by password and second factor (rules/sso#emergency-accounts).
alter table users add break_glass boolean not null default false;

-- Whether the role of a user requires an identity provider. Without an enabled one, no role does.
create function sso_enforced(u users) returns boolean stable language sql as $$
  select r.sso_required
    and exists (select from identity_providers p where p.enabled_at is not null)
  from roles r where r.code = u.role_code
$$;

-- Whether a user has no password that could be asked for: single sign-on is required, or provisioning created the account, and its owner
-- has set none.
create function has_no_password(u users) returns boolean stable language sql as $$
  select (sso_enforced(u) and not u.break_glass)
    or (u.password_own_from is null and exists (select from scim_users s where s.user_id = u.id and s.is_made))
$$;

-- A user may prove the identity again instead of a password (rules/sso#reauthentication).
alter table sso_states
  drop constraint sso_states_purpose_check,
  drop constraint sso_states_check,
  add constraint sso_states_purpose_check check (purpose in ('login', 'link', 'try', 'request', 'confirm')),
  add constraint sso_states_check check ((user_id is null) = (purpose in ('login', 'request')));

-- Whether a logout ends the session at the provider, too (rules/sso#logout).
alter table identity_providers add ends_session boolean not null default false;

-- People of a provider's domains get an account at once, without approval.
alter table identity_providers drop constraint identity_providers_first_login_check;
alter table identity_providers add constraint identity_providers_first_login_check
  check (first_login in ('refuse', 'request', 'create'));
alter table identity_providers add constraint identity_providers_create_check
  check (first_login <> 'create' or email_domains <> '{}');
