-- Each node of a cluster of Citus draws the ids of the rows that it inserts, and announces what its transactions change.
-- The service prepares a node before it enters tenants there, and again whenever tenants may have moved. On one
-- PostgreSQL nothing calls this.
--
-- No two nodes draw the same id: their sequences leave different remainders, divided by 1024. Ids of a tenant rise when it
-- moves: its new node continues above `after`, which rises with time.
do $do$
begin
  execute format($sql$
    create function prepare_node(node bigint, after bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      step constant bigint := 1024;
      -- Closer than this, a sequence may pass the number between the look and the change, and would go back.
      near constant bigint := 1000 * step;
      start constant bigint := after - mod(after, step) + mod(node, step);
      it record;
    begin
      -- A number from a wrong clock would use up the ids.
      if after > (extract(epoch from clock_timestamp()) - extract(epoch from timestamptz '2026-01-01') + 3600) * 4194304 then
        raise 'ids cannot begin after %%, which lies more than an hour ahead of the clock of this node', after;
      end if;
      -- One process at a time, so that none sets back what another one has prepared.
      perform pg_advisory_xact_lock(hashtextextended('prepare_node', 0));
      perform set_config('citus.enable_ddl_propagation', 'off', true);
      -- As the migrations made it for one server.
      if to_regclass('public.invalidations') is null then
        create table public.invalidations (
          id             bigint generated always as identity primary key,
          transaction_id bigint not null default pg_current_xact_id()::text::bigint,
          kind           text not null,
          subject        bigint not null,
          created_at     timestamptz(3) not null default clock_timestamp(),
          constraint invalidations_once unique (transaction_id, kind, subject)
        );
        grant select, insert, delete on public.invalidations to %1$I;
      end if;
      for it in
        select format('%%I.%%I', schemaname, sequencename)::regclass as name, last_value, min_value, increment_by
          from pg_sequences where schemaname = 'public' order by sequencename
      loop
        -- As Citus makes them for a worker, they begin where ids are soon too large for a number of JSON.
        if it.increment_by <> step or it.min_value <> 1 then
          execute format('alter sequence %%s increment by %%s minvalue 1 maxvalue 9007199254740991 start with 1 restart with %%s',
            it.name, step, start);
          perform setval(it.name, start);
        elsif coalesce(it.last_value, 0) < start - near then
          perform setval(it.name, start);
        end if;
      end loop;
    end $$
  $sql$, current_setting('atrium.service_role'));
  revoke execute on function prepare_node from public;
  execute format('grant execute on function prepare_node to %I', current_setting('atrium.service_role'));
end $do$;

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
