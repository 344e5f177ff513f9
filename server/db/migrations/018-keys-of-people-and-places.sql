-- The keys of a person and of a place with both, so that a search by both reads no row that it does not show
-- (design/search#keys-by-user).
drop index issued_keys_cell;
create index issued_keys_cell on issued_keys (cell_id, issued_at desc, id desc) include (user_id);
drop index issued_keys_user;
create index issued_keys_user on issued_keys (user_id, issued_at desc, id desc) include (cell_id);
create index key_cells_place on key_cells (affiliation_code, province_name, district_name);
