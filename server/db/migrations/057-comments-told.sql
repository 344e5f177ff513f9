-- A notification about a notice goes with it.
alter table notifications add column notice_id bigint references notices on delete cascade;
create index notifications_notice on notifications (notice_id) where notice_id is not null;
