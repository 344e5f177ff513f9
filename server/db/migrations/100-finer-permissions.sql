-- Functions that were part of others: read users, publish notices, see the own keys, manage inspections. Every role keeps what it may do.
insert into functions (name) values ('autho_user_search'), ('autho_notice_insert'), ('autho_key_own'), ('autho_audit_manage');
insert into role_functions (role_code, function_name) select code, 'autho_notice_insert' from roles;
insert into role_functions (role_code, function_name)
  select role_code, part from role_functions
    join (values ('autho_user_manage', 'autho_user_search'), ('autho_key_search', 'autho_key_own'),
      ('autho_audit_search', 'autho_audit_manage')) as parts (whole, part) on whole = function_name;
