-- What the codes of projects and departments and the names and slugs of categories look like, regardless of case. The
-- service writes it, because it knows which letters look alike; rows without one get theirs soon after a start. Of codes
-- that looked alike already, the oldest gets the skeleton and the others a value that no code has, so all of them stay.
alter table projects add column code_skeleton text;
alter table departments add column code_skeleton text;
alter table categories add column name_skeleton text, add column slug_skeleton text;

-- A release that does not know skeletons changes a code and leaves the old skeleton, so the row is settled anew. A change
-- of case alone does not change the skeleton.
create function unsettle_department() returns trigger language plpgsql as $$
begin
  if lower(new.code) <> lower(old.code) and new.code_skeleton = old.code_skeleton then new.code_skeleton := null; end if;
  return new;
end $$;
create trigger departments_unsettle before update of code on departments
  for each row execute function unsettle_department();

create function unsettle_category() returns trigger language plpgsql as $$
begin
  if lower(new.name) <> lower(old.name) and new.name_skeleton = old.name_skeleton then new.name_skeleton := null; end if;
  if lower(new.slug) <> lower(old.slug) and new.slug_skeleton = old.slug_skeleton then new.slug_skeleton := null; end if;
  return new;
end $$;
create trigger categories_unsettle before update of name, slug on categories
  for each row execute function unsettle_category();
