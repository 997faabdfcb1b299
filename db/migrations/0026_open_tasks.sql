-- atrium: no transaction
-- An index on the status itself made every move of a task write all of its indexes anew.
drop index concurrently if exists tasks_open_by_assignee;
create index concurrently tasks_open_by_assignee on tasks (tenant_id, assignee_id, project_id) where is_open;
drop index concurrently if exists tasks_by_assignee;
