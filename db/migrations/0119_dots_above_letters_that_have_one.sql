-- atrium: no transaction
-- A dot above an i or a j cannot be seen, and a dotless j looks like one with a dot. What looks alike because of that is
-- settled anew after the start, as in 0044. Of two that are alike already one keeps what it looks like, and both stay.
do $$
declare
  dotted constant text := '[\u0130\u0237\u0307]';
  tenant bigint;
  ids bigint[];
  latest bigint;
begin
  for tenant in select id from tenants loop
    latest := 0;
    loop
      perform set_config('app.tenant_id', tenant::text, true);
      select array_agg(id), max(id) into ids, latest from (
        select id from users where tenant_id = tenant and id > latest order by id limit 1000) batch;
      exit when ids is null;
      update users set skeleton = null
       where tenant_id = tenant and id = any (ids) and skeleton is not null
         and username || coalesce(nickname, '') ~ dotted;
      commit;
    end loop;
    latest := 0;
    loop
      perform set_config('app.tenant_id', tenant::text, true);
      select array_agg(id), max(id) into ids, latest from (
        select id from projects where tenant_id = tenant and id > latest order by id limit 1000) batch;
      exit when ids is null;
      update projects set code_skeleton = null
       where tenant_id = tenant and id = any (ids) and code_skeleton is not null and code ~ dotted;
      commit;
    end loop;
    perform set_config('app.tenant_id', tenant::text, true);
    update departments set code_skeleton = null
     where tenant_id = tenant and code_skeleton is not null and code ~ dotted;
    update categories set name_skeleton = null
     where tenant_id = tenant and name_skeleton is not null and name ~ dotted;
    update categories set slug_skeleton = null
     where tenant_id = tenant and slug_skeleton is not null and slug ~ dotted;
    commit;
  end loop;
end $$;
