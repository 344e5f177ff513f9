-- A person whose partner code hangs on their affiliation asks for another one (design/accounts#change-of-affiliation), in the list of requests for an account.
-- 'withdrawn': taken back by whoever asked, or replaced by what they asked for later.
alter table approval_requests
  add column kind text not null default 'account' check (kind in ('account', 'affiliation')),
  add column to_affiliation_code text,
  drop constraint approval_requests_state_check,
  add constraint approval_requests_state_check check (state in ('waiting', 'approved', 'refused', 'withdrawn')),
  add constraint approval_requests_kind check ((kind = 'affiliation') = (to_affiliation_code is not null)),
  add constraint approval_requests_withdrawn check (state <> 'withdrawn' or kind = 'affiliation');
