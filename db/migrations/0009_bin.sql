-- The bin of tasks. In it a task is neither open nor finished: its `is_open` is null, so that what asks for one of the two
-- leaves it out, and the indexes that lists and counts use need no column more.
alter table tasks add column deleted_at timestamptz(3);
alter table tasks add column deleted_by_id bigint;
update table_facts set facts = '{"references": {"deleted_by_id": "users"}}' where name = 'tasks';

-- A task leaves the bin for good after a while, and its history stays.
alter table activities drop constraint activities_of_tasks;
update table_facts set facts = jsonb_set(facts, '{references}', facts -> 'references' || '{"project_id": "projects", "task_id": "tasks"}')
 where name = 'activities';
