-- The e-mail of a withdrawn account is reserved for it while the withdrawal can be taken back: 30 days, RESTORE_DAYS in the contract.
create index users_email_withdrawn on users (email) where withdrawn_at is not null;

create function keep_reserved_email() returns trigger language plpgsql as $$
begin
  if exists (select from users o where o.email = new.email and o.id <> new.id and o.withdrawn_at > now() - interval '30 days') then
    raise unique_violation using constraint = 'users_email_active', message = 'The e-mail is reserved for a withdrawn account';
  end if;
  return null;
end $$;
-- After the row is written: the index has waited for a withdrawal that runs at the same time.
create trigger users_email_reserved after insert on users for each row
  when (new.withdrawn_at is null) execute function keep_reserved_email();
create trigger users_email_reserved_anew after update of email on users for each row
  when (new.withdrawn_at is null and new.email is distinct from old.email) execute function keep_reserved_email();
