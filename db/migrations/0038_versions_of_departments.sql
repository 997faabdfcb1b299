-- A form of a department that was opened before somebody else saved theirs is refused. The version rises with every change,
-- also with one of a release that does not know it.
alter table departments add column version integer not null default 0;
create trigger departments_version_rises before update on departments
  for each row when (new.version = old.version) execute function raise_version();
