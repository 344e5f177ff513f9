-- Affiliations are data: one can be closed, and each has the partner code that is chosen unless another one is (design/accounts#affiliations).
alter table codes
  add column closed_at timestamptz,
  add column default_partner_id bigint constraint codes_default_partner references partners;
create unique index codes_affiliation_name_ko on codes (lower(name_ko)) where group_code = 'COMBEL001';
create unique index codes_affiliation_name_en on codes (lower(name_en)) where group_code = 'COMBEL001';

-- The seed has the first eight; a code is never given again.
create sequence affiliation_number;
select setval('affiliation_number', greatest(8, (
  select max(substr(code, 4)::int) from codes where group_code = 'COMBEL001' and code ~ '^BEL[0-9]{1,9}$'
)));

-- Where there was one to choose, it was chosen by everybody.
update codes c set default_partner_id = p.id
  from (select affiliation_code, min(id) as id from partners group by 1 having count(*) = 1) as p
  where c.group_code = 'COMBEL001' and c.code = p.affiliation_code;
