-- atrium: no transaction
-- Reads every row, and nobody waits for it.
alter table activities validate constraint activities_of_tasks;
alter table activities validate constraint activities_of_projects;
