-- From when the present password counts as chosen by its user, at a reset of the second factors (design/four-eyes#independence-of-two-administrators). Null: somebody else handed it out.
alter table users add column password_own_from timestamptz;
-- A later row of the history is a choice of the user. So is the password of a sign-up, which came with a request.
update users u set password_own_from = u.created_at
  where not u.password_temporary and u.erased_at is null and (
    exists (select from password_history h where h.user_id = u.id and h.created_at > u.created_at)
    or exists (select from approval_requests a where a.user_id = u.id));
-- When the second factor was set up that the user of a session gave last. Null after a recovery code.
alter table sessions add column factor_made_at timestamptz;
