-- atrium: no transaction
-- What a build that was cut off has left is no index. A database that has applied the first text of 0025 has this one.
do $$ begin
  if exists (select from pg_index where indexrelid = to_regclass('tasks_of_projects') and not indisvalid) then
    set local lock_timeout = '2s';
    drop index tasks_of_projects;
  end if;
end $$;
create unique index concurrently if not exists tasks_of_projects on tasks (tenant_id, project_id, id);
drop index concurrently if exists tasks_by_project;
