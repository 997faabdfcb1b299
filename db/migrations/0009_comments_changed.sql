-- Comments can be edited and deleted. Of a deleted one the row stays, without its text. Its status on the blog is then
-- `hidden`, so that a service of the release before shows it to nobody.

alter table task_comments add column edited_at timestamptz(3), add column deleted_at timestamptz(3);
alter table comments add column edited_at timestamptz(3), add column deleted_at timestamptz(3);

-- Notifications that quote something are found by what they quote, to change the quotation with it.
create index notifications_quoting on notifications (tenant_id, resource_id, created_at) where content is not null;
