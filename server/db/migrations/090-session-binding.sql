-- The SHA-256 of the cookie's secret to which a page of the portal has bound its session (design/sessions#session-cookie). Null: the header alone is enough.
alter table sessions add column binding_hash bytea;
