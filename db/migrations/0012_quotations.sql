-- atrium: no transaction
-- Notifications that quote something are found by what they quote, to change the quotation with it.
create index concurrently if not exists notifications_quoting on notifications (tenant_id, resource_id, created_at)
  where content is not null;
