-- What English screens say of the company; those of an office stand with it, in settings.offices. Null: nobody has said it.
alter table settings add column company_name_en text, add column logo_text_en text;
