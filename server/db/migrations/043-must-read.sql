-- Must-read notices are few among all: who has not confirmed them is asked with every visit of the home page (design/mail-and-notifications#to-do-list).
create index notices_must_read on notices (published_at desc, id desc) include (author_id) where must_read;
