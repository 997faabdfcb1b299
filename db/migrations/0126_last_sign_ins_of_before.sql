-- atrium: no transaction
-- Fills the table of 0125 for people who have signed in already, in batches that commit one by one. Open sessions and the
-- networks of the last 90 days are what is known of them; a network is seen once a day.
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
        select id from users where tenant_id = tenant and id > latest order by id limit 500) part;
      exit when ids is null;
      insert into last_sign_ins (tenant_id, user_id, signed_in_at)
        select tenant, user_id, max(at) from (
          select user_id, created_at as at from sessions where tenant_id = tenant and user_id = any (ids)
          union all
          select user_id, seen_at from sign_in_networks where tenant_id = tenant and user_id = any (ids)) signed_in
         group by user_id
        on conflict do nothing;
      commit;
    end loop;
  end loop;
end $$;
