-- Requests of people whom an identity provider named, and who have no account (rules/sso#first-login).

alter table identity_providers drop constraint identity_providers_first_login_check;
alter table identity_providers add constraint identity_providers_first_login_check
  check (first_login in ('refuse', 'request'));

-- Who has proved an identity may link it with the account that they request.
alter table sso_states
  drop constraint sso_states_purpose_check,
  drop constraint sso_states_check,
  add subject text collate "C",
  -- Email claim of the person, in lower case.
  add email text,
  add constraint sso_states_purpose_check check (purpose in ('login', 'link', 'try', 'request')),
  add constraint sso_states_check check ((user_id is null) = (purpose in ('login', 'request'))),
  add constraint sso_states_subject_check check ((purpose = 'request') = (subject is not null and email is not null));
