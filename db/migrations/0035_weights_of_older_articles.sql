-- atrium: no transaction
-- Fills the column of 0034 for older rows, in batches that commit one by one. An article that somebody holds is skipped,
-- and another round follows.
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
          select id from articles where tenant_id = tenant and id > latest and content_bytes is null order by id limit 500) batch;
        exit when ids is null;
        update articles set content_bytes = octet_length(array_to_string(content, ''))
         where tenant_id = tenant and id in (
           select id from articles where tenant_id = tenant and id = any (ids) and content_bytes is null
              for no key update skip locked);
        commit;
      end loop;
      perform set_config('app.tenant_id', tenant::text, true);
      exit when not exists (select from articles where tenant_id = tenant and content_bytes is null);
      perform pg_sleep(0.1);
    end loop;
  end loop;
end $$;
