-- atrium: no transaction
-- Lists of tasks by due date, priority, change and title, of a project and of an assignee. Open tasks are a part of their
-- own in the first two, so that what is finished is not walked through to find them. Each change of a task moves its row
-- in `tasks_by_change`, so it now writes all indexes of the table: see docs/performance.md for the price.
drop index concurrently if exists tasks_by_due_date;
create index concurrently tasks_by_due_date on tasks (tenant_id, project_id, is_open, due_date, id);
drop index concurrently if exists tasks_by_priority;
create index concurrently tasks_by_priority on tasks (tenant_id, project_id, is_open,
  (case priority when 'LOW' then 1 when 'MEDIUM' then 2 when 'HIGH' then 3 else 4 end), id);
drop index concurrently if exists tasks_by_change;
create index concurrently tasks_by_change on tasks (tenant_id, project_id, updated_at, id);
drop index concurrently if exists tasks_by_title;
create index concurrently tasks_by_title on tasks (tenant_id, project_id, title, id);
-- It also serves what tasks_open_of_assignee did.
drop index concurrently if exists tasks_of_assignee;
create index concurrently tasks_of_assignee on tasks (tenant_id, assignee_id, is_open, due_date, id)
  include (project_id) where assignee_id is not null;
drop index concurrently if exists tasks_open_of_assignee;
