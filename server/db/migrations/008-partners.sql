-- The partner search at 100,000 partners.

-- The list's own order with all that it is narrowed by: what is not shown is counted without reading its row.
create index partners_newest on partners (created_at desc, id desc)
  include (code, affiliation_code, valid_from, valid_to);
