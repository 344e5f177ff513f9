-- Wrong passwords under an ID, all of them ('') and those from a network that its owner has logged in from: others' from
-- elsewhere do not lock the owner out there.
alter table login_failures add column network text not null default '';
alter table login_failures drop constraint login_failures_pkey, add primary key (login_id, network);
