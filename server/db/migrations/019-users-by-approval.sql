-- Those who wait for an approval are few among all: counted and listed without the others.
create index users_approval on users (approval_code, created_at desc, id desc) where withdrawn_at is null;
