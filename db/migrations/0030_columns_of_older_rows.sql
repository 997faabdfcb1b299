-- atrium: no transaction
-- Fills the columns of 0025 for older rows, in batches that commit one by one. A task that somebody holds is skipped, and
-- another round follows: nobody waits for this, and this waits for nobody.
do $$
declare
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
      update activities set own_project_id = project_id
       where tenant_id = tenant and id = any (ids) and task_id is null and own_project_id is distinct from project_id;
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
