-- How many bytes an upload by form said that it has, where its size is known at the end: so much room is kept for it.
alter table uploads add column expected_bytes bigint;
