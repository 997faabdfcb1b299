-- atrium: no transaction
-- Notifications that quote something are found by what they quote, to change the quotation with it. A build
-- that was broken off leaves an index that cannot be used.
drop index concurrently if exists notifications_quoting;
create index concurrently notifications_quoting on notifications (tenant_id, resource_id, created_at)
  where content is not null;
