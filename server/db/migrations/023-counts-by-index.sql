-- Counts of places are summed from indexes alone: a place's months lie scattered over the table, which PostgreSQL would rather
-- read whole (design/keys#counts-of-keys).
alter table key_months drop constraint key_months_pkey, add primary key (month, cell_id) include (n);
alter table key_days drop constraint key_days_pkey, add primary key (day, cell_id) include (n);
drop index key_months_cell;
create index key_months_cell on key_months (cell_id) include (month, n);
