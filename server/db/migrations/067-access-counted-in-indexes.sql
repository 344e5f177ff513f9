-- A search by who or from where counts a month in the index alone (design/access-log#search): it has to say the month, too, or each row is looked at.
create index access_log_who on access_log (actor_id, month, position) where actor_id is not null;
create index access_log_where on access_log (address, month, position);
drop index access_log_actor;
drop index access_log_address;
