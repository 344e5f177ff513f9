-- When all second factors of an account were last removed by others: for some days after it, only its user changes e-mail and password.
alter table users add factors_reset_at timestamptz;
update users u set factors_reset_at = f.decided_at from factor_resets f
  where f.user_id = u.id and f.state = 'confirmed' and f.decided_at > now() - interval '3 days';

-- Nobody recorded whether the administrators who asked for these had proved a second factor of their own.
update factor_resets set state = 'needless', decided_at = now() where state = 'waiting';
