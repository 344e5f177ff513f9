-- The menu is derived from the list of pages (rules/frame#header).
drop table menus;
