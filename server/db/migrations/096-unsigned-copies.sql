-- Reviews and inspections that nobody has signed copied users whom an earlier version erased; erasure replaces these copies now.
update rights_review_items i
set login_id = '~' || i.id, name = '탈퇴한 사용자'
from rights_reviews s, users u
where s.quarter = i.quarter and s.signed_at is null and u.id = i.person_id and u.erased_at is not null;
update rights_review_items i
set remarker_name = '탈퇴한 사용자'
from rights_reviews s, users u
where s.quarter = i.quarter and s.signed_at is null and u.id = i.remarker_id and u.erased_at is not null;
update inspection_findings i
set login_id = '~' || i.id, name = '탈퇴한 사용자'
from inspections s, users u
where s.month = i.month and s.signed_at is null and u.id = i.person_id and u.erased_at is not null;
update inspection_findings i
set remarker_name = '탈퇴한 사용자'
from inspections s, users u
where s.month = i.month and s.signed_at is null and u.id = i.remarker_id and u.erased_at is not null;
