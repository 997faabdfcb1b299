-- Releases that do not know the columns of 0025 go on writing beside this one: the database fills the columns for them.
-- What this release writes is right already, so its statements call neither function.
create function set_own_project() returns trigger language plpgsql as $$
begin
  new.own_project_id := new.project_id;
  return new;
end $$;

create function correct_is_open() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.is_open := new.status in ('TODO', 'IN_PROGRESS', 'BLOCKED');
  else
    update tasks set is_open = new.status in ('TODO', 'IN_PROGRESS', 'BLOCKED') where tenant_id = new.tenant_id and id = new.id;
  end if;
  return new;
end $$;

-- Both columns are generated in a database that has applied the first text of 0025.
alter table activities alter column own_project_id drop expression if exists;
create trigger activities_set_own_project before insert on activities
  for each row when (new.task_id is null and new.own_project_id is distinct from new.project_id)
  execute function set_own_project();

alter table tasks alter column is_open drop expression if exists, alter column is_open set default true;
create trigger tasks_insert_is_open before insert on tasks
  for each row when (new.is_open is distinct from (new.status in ('TODO', 'IN_PROGRESS', 'BLOCKED')))
  execute function correct_is_open();
-- After the change, because a trigger before an update locks each row once more.
create trigger tasks_update_is_open after update on tasks
  for each row when (new.is_open is distinct from (new.status in ('TODO', 'IN_PROGRESS', 'BLOCKED')))
  execute function correct_is_open();
