-- atrium: no transaction
-- What is in the bin of a project. A build that was broken off leaves an index that cannot be used.
drop index concurrently if exists tasks_in_bin;
create index concurrently tasks_in_bin on tasks (tenant_id, project_id, id) include (deleted_at) where is_open is null;
