-- Rows of the access log that were recorded in error, as the operator stated it. The log itself is chained and stays as it was
-- written. The application role only reads these rows (server/db/serving-role.ts).
create table access_annotations (
  month date not null,
  position bigint not null,
  reason text not null check (reason <> ''),
  annotated_at timestamptz not null default now(),
  primary key (month, position)
);
