-- By which mark this database knows its storage again, and what the last sweep found (design/uploads-and-files#pairing-of-database-and-storage). In no backup: a restored
-- database has none. Two while the mark moves: the storage has one or the other. One row, written by the first sweep.
create table storage_mark (
  only_one boolean primary key default true check (only_one),
  marks uuid[] not null default '{}',
  -- Files that are older were accepted by an operator, however many of them no row names.
  accepted_at timestamptz,
  swept_at timestamptz,
  stopped text check (stopped in ('owner', 'mark', 'mass')),
  unnamed integer not null default 0
);
