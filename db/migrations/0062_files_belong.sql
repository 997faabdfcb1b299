-- A file can belong to a task, a request, an article or a thing of another domain: anyone who sees the thing sees the file.
-- Kinds are declared by domains, so this is no foreign key. A file whose thing is gone is its uploader's alone.
-- `goes_public`: the public reads the file as long as it reads the thing, because an editor of the thing attached it.
alter table files
  add column resource_type text,
  add column resource_id bigint,
  add column goes_public boolean not null default false,
  add constraint files_resource_is_whole check ((resource_type is null) = (resource_id is null)) not valid;

-- The picture of a person: the name of a file, which stays as long as it is one.
alter table users
  add column avatar text,
  add constraint users_avatar_is_kept foreign key (tenant_id, avatar) references files (tenant_id, filename) not valid;

-- A deleted person has no picture, also if a release deletes them that knows none.
create function clear_avatar() returns trigger language plpgsql as $$
begin
  new.avatar := null;
  return new;
end $$;
create trigger users_clear_avatar before update on users
  for each row when (new.deleted_at is not null and new.avatar is not null)
  execute function clear_avatar();
