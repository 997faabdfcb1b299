-- atrium: no transaction
-- atrium: replaces 1bef42cec722820aadc958d8cce593fe287f62cf3675eda0a1e72b549f303850
-- Fills the columns of 0025 for older rows, in batches that commit one by one. A task that somebody holds is skipped, and
-- another round follows: nobody waits for this, and this waits for nobody. An owner who works as the service itself may
-- not change activities; each batch grants it that, and revokes it before it commits.
do $$
declare
  is_barred constant boolean := not has_table_privilege('activities', 'update');
  tenant bigint;
  ids bigint[];
  latest bigint;
begin
  for tenant in select id from tenants loop
    latest := 0;
    loop
      perform set_config('app.tenant_id', tenant::text, true);
      select array_agg(id), max(id) into ids, latest from (
        select id from activities where tenant_id = tenant and id > latest order by id limit 5000) batch;
      exit when ids is null;
      if is_barred then
        grant update on activities to current_user;
      end if;
      update activities set own_project_id = project_id
       where tenant_id = tenant and id = any (ids) and task_id is null and own_project_id is distinct from project_id;
      if is_barred then
        revoke update on activities from current_user;
      end if;
      commit;
    end loop;
    loop
      latest := 0;
      loop
        perform set_config('app.tenant_id', tenant::text, true);
        select array_agg(id), max(id) into ids, latest from (
          select id from tasks where tenant_id = tenant and id > latest order by id limit 1000) batch;
        exit when ids is null;
        update tasks set is_open = status in ('TODO', 'IN_PROGRESS', 'BLOCKED')
         where tenant_id = tenant and id in (
           select id from tasks
            where tenant_id = tenant and id = any (ids) and is_open is distinct from (status in ('TODO', 'IN_PROGRESS', 'BLOCKED'))
              for no key update skip locked);
        commit;
      end loop;
      exit when not exists (
        select from tasks where tenant_id = tenant and is_open is distinct from (status in ('TODO', 'IN_PROGRESS', 'BLOCKED')));
      perform pg_sleep(0.1);
    end loop;
  end loop;
end $$;
