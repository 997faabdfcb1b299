-- Distributes the tables over the workers of a Citus cluster, with all rows of a tenant on one worker. THE SERVICE DOES NOT
-- WORK ON IT YET: see below. With the same distribution, on a Citus of May 2026 with PostgreSQL 18.4, 461 of 469 statements
-- of the service were one task on one shard. This file itself has only been run by test/api/citus.test.ts, which runs the
-- script on PostgreSQL, with functions that check what Citus checks, and shows that it distributes every table and keeps
-- every key.
--
-- It is meant to be run once, by the owner, after `atrium migrate up`, on the coordinator (PostgreSQL 18).
--
-- What the service uses, and what Citus does with it:
--
--   primary, unique and foreign keys      each carries tenant_id, as Citus requires
--   foreign keys to shared tables         supported, from distributed to reference tables
--   statements                            each carries its tenant, so each goes to one worker ("router"). Router queries
--                                         support all of SQL: writing common table expressions, FOR UPDATE, SKIP LOCKED,
--                                         on conflict, window functions
--   generated column users.living_id      supported
--   identity columns                      supported since 11.2, bigint only; ids are drawn on the coordinator. An id drawn
--                                         on worker n begins at n × 2^48, which JavaScript represents exactly up to n = 31
--   triggers, views                       there are no views; the triggers are dropped below, because Citus has none on
--                                         distributed tables
--   security definer                      only prune_audit: it runs on the coordinator, and names its one tenant
--   forced row security                   is created on the workers with the table, BUT its setting is not sent:
--
-- THE SERVICE MUST CHANGE IN THESE POINTS before the script is of use:
--
--   1. `set_config('app.tenant_id', …, true)` is not sent to the workers. Citus sends `SET LOCAL app.tenant_id = …` of a
--      transaction block if citus.propagate_set_commands = 'local' (citusdata/citus#1327, #2689). A flight that only reads
--      would need `begin` and `commit` around it. Until then the policies show the service no rows: it fails closed.
--   2. Citus connects to the workers as the current user. The role of the service cannot log in. It would need LOGIN and an
--      entry in pg_dist_authinfo or pg_hba.conf on each worker.
--   3. Triggers write departments.version, articles.content_bytes, users.email_verified_at and users.email_key (0038, 0034,
--      0053, 0079). Without them, the statements that change a department, the content of an article or an e-mail address
--      would have to write these columns.
--
-- Jobs that go through all tenants (pending notifications, old audit rows, lost files) ask tenant by tenant, so they work.

begin;
set local citus.multi_shard_modify_mode to 'sequential';

-- A foreign key can only exist when both tables are distributed, so the keys are dropped here and added again below.
create temporary table keys on commit drop as
select conrelid::regclass as relation, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace;

do $$ declare key record; begin
  for key in select * from keys loop
    execute format('alter table %s drop constraint %I', key.relation, key.name);
  end loop;
end $$;

-- These triggers write what older releases do not, so on Citus no release before 0012, 0025, 0039, 0046 or 0100 can run beside this one.
drop trigger articles_version_rises on articles;
drop trigger audit_operations_mark_registered on audit_operations;
drop trigger activities_set_own_project on activities;
drop trigger tasks_insert_is_open on tasks;
drop trigger tasks_update_is_open on tasks;
drop trigger users_clear_avatar on users;
-- See point 3 above.
drop trigger departments_version_rises on departments;
drop trigger articles_weigh on articles;
drop trigger users_forget_verified_address on users;
drop trigger users_fold_address on users;
drop trigger departments_unsettle on departments;
drop trigger categories_unsettle on categories;
drop trigger users_clear_former_member on users;
drop trigger users_version_rises on users;

-- Tables without a tenant_id are shared by all tenants, so each worker has a copy. The other tables are distributed by tenant
-- and colocated. The list of migrations stays on the coordinator, the only one that reads it. Tables of domains from outside
-- are found like all others.
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
