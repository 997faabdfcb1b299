-- A node of a cluster of Citus that is asked for a tenant of another node would send the statement on, and draw its ids
-- here, where they may be lower than those that the other node has given out. The service sends no tenant along where the
-- rows should be; so the role has one by itself, on connections between nodes, that is no number: every policy refuses it,
-- and the service looks where the tenant is now. `prepare_node` has taken the lock under which this runs.
do $do$
begin
  execute format($sql$
    create function refuse_flights_without_tenant() returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      -- An owner who serves as itself moves rows between nodes in this role.
      if current_user = %1$L or exists (
        select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole join pg_database d on d.oid = s.setdatabase
         where r.rolname = %1$L and d.datname = current_database() and 'app.tenant_id=elsewhere' = any (s.setconfig)) then
        return;
      end if;
      perform set_config('citus.enable_ddl_propagation', 'off', true);
      execute format('alter role %1$I in database %%I set app.tenant_id = ''elsewhere''', current_database());
    end $$
  $sql$, current_setting('atrium.service_role'));
  revoke execute on function refuse_flights_without_tenant from public;
  execute format('grant execute on function refuse_flights_without_tenant to %I', current_setting('atrium.service_role'));
end $do$;
