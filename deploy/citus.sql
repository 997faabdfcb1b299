-- Spreads the tenants over the workers of a Citus cluster, a tenant's rows all on one of them. NOT RUN ON CITUS: there
-- was none where this was written. What stands below about Citus comes from its documentation and its issues. A test
-- (test/api/citus.test.ts) runs the script on PostgreSQL with functions that ask what Citus asks, and shows that it moves
-- every table and leaves every key as it was.
--
-- Run once, by the owner, after `atrium migrate up`, on the coordinator of Citus 14 or newer (PostgreSQL 16 to 18).
--
-- What the service uses, and what Citus makes of it:
--
--   primary, unique and foreign keys      each carries tenant_id: as Citus demands
--   foreign keys to shared tables         supported, from distributed to reference tables
--   on delete set null (department_id)    the list of columns is PostgreSQL 15's; whether Citus takes it: to be tried
--   statements                            each carries its tenant, so each is for one worker ("router"); those support
--                                         all of SQL: common table expressions that write, FOR UPDATE, SKIP LOCKED,
--                                         on conflict, window functions
--   generated column users.living_id      supported
--   identity columns                      supported since 11.2, bigint only; ids are drawn on the coordinator. An id
--                                         drawn on worker n begins at n × 2^48, which JavaScript counts exactly for 31
--   triggers, views                       no views; the triggers are dropped below, as Citus has none on distributed tables
--   security definer                      prune_audit alone: it runs on the coordinator, and names its one tenant
--   row security, forced                  goes to the workers with the table, BUT its setting does not:
--
-- THREE THINGS STAND IN THE WAY, and are the service's to change before this is of use:
--
--   1. `set_config('app.tenant_id', …, true)` is not sent to the workers. Citus sends `SET LOCAL app.tenant_id = …` of a
--      transaction block, with citus.propagate_set_commands = 'local' (citusdata/citus#1327, #2689). A flight that only
--      reads would need `begin` and `commit` around it. Until then the policies show the service nothing: it fails
--      closed.
--   2. The workers are connected to as the current user. The role of the service cannot log in; it would need LOGIN and
--      an entry in pg_dist_authinfo or pg_hba.conf on each worker.
--   3. What processes may not remember any longer is told by triggers (0023). Without them the statements that announce
--      a change would have to write those rows themselves; until then a right that is taken away in one process would
--      stay in the others.
--
-- Jobs that go through all tenants (news left behind, old audit rows, lost files) ask tenant by tenant, so they go on.

begin;

-- A key between two tables can only be there when both are where they belong: they are taken away, and put back.
create temporary table keys on commit drop as
select conrelid::regclass as relation, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace;

do $$ declare key record; begin
  for key in select * from keys loop
    execute format('alter table %s drop constraint %I', key.relation, key.name);
  end loop;
end $$;

-- These write what older releases do not: on Citus no release from before 0012 or 0025 runs beside this one.
drop trigger articles_version_rises on articles;
drop trigger activities_set_own_project on activities;
drop trigger tasks_insert_is_open on tasks;
drop trigger tasks_update_is_open on tasks;
-- See 3 above.
drop trigger sessions_invalidate_delete on sessions;
drop trigger sessions_invalidate_update on sessions;
drop trigger users_invalidate_delete on users;
drop trigger users_invalidate_update on users;
drop trigger user_roles_invalidate_insert on user_roles;
drop trigger user_roles_invalidate_delete on user_roles;
drop trigger user_roles_invalidate_update on user_roles;
drop trigger user_roles_invalidate_moved on user_roles;
drop trigger roles_invalidate_delete on roles;
drop trigger roles_invalidate_update on roles;
drop trigger role_permissions_invalidate_insert on role_permissions;
drop trigger role_permissions_invalidate_delete on role_permissions;
drop trigger role_permissions_invalidate_update on role_permissions;
drop trigger permissions_invalidate_delete on permissions;
drop trigger permissions_invalidate_update on permissions;
drop trigger tenants_invalidate_update on tenants;

-- Tables without a tenant_id are shared by all tenants: each worker has a copy. The others are of one tenant each, side by
-- side. The list of migrations stays with the coordinator, which alone asks for it. Tables of domains from outside are
-- found like all others.
do $$ declare relation regclass; begin
  for relation in
    select c.oid from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
  loop
    perform create_reference_table(relation);
  end loop;
  perform create_distributed_table('organizations', 'tenant_id');
  for relation in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'organizations'
  loop
    perform create_distributed_table(relation, 'tenant_id', colocate_with => 'organizations');
  end loop;
end $$;

do $$ declare key record; begin
  for key in select * from keys loop
    execute format('alter table %s add constraint %I %s', key.relation, key.name, key.definition);
  end loop;
end $$;

commit;
