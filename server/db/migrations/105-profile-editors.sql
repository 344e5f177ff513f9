-- Who maintains names and positions: the users themselves, or those who may change users.
alter table settings add column profile_editors text not null default 'users' check (profile_editors in ('users', 'hr'));
-- True once the security settings were saved, which answers the question of the setup guide. A finished guide asks nothing more.
alter table settings add column profile_editors_decided boolean not null default false;
update settings set profile_editors_decided = setup_state = 'finished';
