-- Comments can be edited and deleted. Of a deleted one the row stays, without its text. Its status on the blog is then
-- `hidden`, so that a service of the release before shows it to nobody.

alter table task_comments add column edited_at timestamptz(3), add column deleted_at timestamptz(3);
alter table comments add column edited_at timestamptz(3), add column deleted_at timestamptz(3);
