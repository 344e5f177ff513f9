-- Servers kept a copy of the partners and followed its changes; a list of 10,000 needs none (design/lists-and-counts#pages-in-sql).
drop trigger partners_inserted on partners;
drop trigger partners_updated on partners;
drop trigger partners_deleted on partners;
drop trigger partners_truncated on partners;
drop function partner_changed();
drop table partner_changes, partner_revision;
