-- No limit is null, as everything else that is not there; -1 is how the wire says it (rules/wire#values).
alter table partners drop constraint partners_limit_day_check;
alter table partners alter column limit_day drop not null, alter column limit_day drop default;
update partners set limit_day = null where limit_day = -1;
alter table partners add constraint partners_limit_day_check check (limit_day >= 0);
alter table partners drop constraint partners_limit_week_check;
alter table partners alter column limit_week drop not null, alter column limit_week drop default;
update partners set limit_week = null where limit_week = -1;
alter table partners add constraint partners_limit_week_check check (limit_week >= 0);
alter table partners drop constraint partners_limit_month_check;
alter table partners alter column limit_month drop not null, alter column limit_month drop default;
update partners set limit_month = null where limit_month = -1;
alter table partners add constraint partners_limit_month_check check (limit_month >= 0);
alter table partners drop constraint partners_limit_total_check;
alter table partners alter column limit_total drop not null, alter column limit_total drop default;
update partners set limit_total = null where limit_total = -1;
alter table partners add constraint partners_limit_total_check check (limit_total >= 0);
