-- Whether the phone number of a user may be a landline, which has 9 to 11 digits.
alter table settings
  add column phone_numbers text not null default 'mobile' check (phone_numbers in ('mobile', 'landline'));
