-- An activity of a task proves its project by the task: one key instead of two, and no lock on the project for each
-- (27 of 300 µs of a creation). What is the project's own keeps a key of its own. 0033 proves both for older rows.
do $$ begin
  if not exists (select from pg_constraint where conrelid = 'tasks'::regclass and conname = 'tasks_of_projects') then
    alter table tasks add constraint tasks_of_projects unique using index tasks_of_projects;
  end if;
  if not exists (select from pg_constraint where conrelid = 'activities'::regclass and conname = 'activities_of_tasks') then
    alter table activities
      add constraint activities_of_tasks foreign key (tenant_id, project_id, task_id)
        references tasks (tenant_id, project_id, id) not valid,
      add constraint activities_of_projects foreign key (tenant_id, own_project_id)
        references projects (tenant_id, id) not valid,
      drop constraint activities_tenant_id_project_id_fkey,
      drop constraint activities_tenant_id_task_id_fkey;
  end if;
end $$;
