-- atrium: no transaction
-- A deleted person is a row that names nobody: their user name is free, and what they wrote shows a former member. This
-- release clears the names itself. The trigger does it for releases that do not, and for the people who were deleted
-- before; these are filled in batches that commit one by one, and rows that somebody holds are left to another round.
drop index concurrently if exists comments_by_user;
create index concurrently comments_by_user on comments (tenant_id, user_id);

create or replace function clear_former_member() returns trigger language plpgsql as $$
begin
  new.username := '';
  new.nickname := null;
  new.nickname_skeleton := null;
  new.email := null;
  new.phone := null;
  new.real_name := null;
  -- No name looks like this: none has a control character.
  new.look := chr(1) || new.id;
  new.skeleton := chr(1) || new.id;
  update comments set username = '' where tenant_id = new.tenant_id and user_id = new.id and username <> '';
  return new;
end $$;
create or replace trigger users_clear_former_member before update on users
  for each row when (new.deleted_at is not null and new.username <> '')
  execute function clear_former_member();

do $$
declare
  tenant bigint;
  ids bigint[];
  latest bigint;
begin
  for tenant in select id from tenants loop
    loop
      latest := 0;
      loop
        perform set_config('app.tenant_id', tenant::text, true);
        select array_agg(id), max(id) into ids, latest from (
          select id from users where tenant_id = tenant and id > latest and deleted_at is not null and username <> ''
           order by id limit 500) part;
        exit when ids is null;
        update users set deleted_at = deleted_at
         where tenant_id = tenant and id in (
           select id from users where tenant_id = tenant and id = any (ids) for no key update skip locked);
        commit;
      end loop;
      perform set_config('app.tenant_id', tenant::text, true);
      exit when not exists (
        select from users where tenant_id = tenant and deleted_at is not null and username <> '');
      perform pg_sleep(0.1);
    end loop;
  end loop;
end $$;
