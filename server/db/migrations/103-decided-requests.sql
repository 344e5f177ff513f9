-- Open pages learn of decided requests too (design/mail-and-notifications#event-stream).
create index approval_requests_decided on approval_requests (decided_at) where decided_at is not null;
