-- atrium: no transaction
-- What a name looks like takes capitals of other scripts for the Latin ones that they look like, and their small letters
-- with them. Names with letters that this may concern are settled anew after the start, in batches; until then their
-- user names are still unique as they are written.
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
        select id from users where tenant_id = tenant and id > latest order by id limit 1000) batch;
      exit when ids is null;
      update users set skeleton = null
       where tenant_id = tenant and id = any (ids) and skeleton is not null
         and username || coalesce(nickname, '') ~ '[\u0080-\u1fff\u2c00-\u2dff\ua640-\uabff\uff21-\uff5a]';
      commit;
    end loop;
  end loop;
end $$;
