-- What processes remember is announced by the statement that changes it, in the same transaction: Citus has no triggers on
-- the tables of tenants. The triggers of 0023 stay while the release before may still run beside this one, because its
-- changes are announced by nothing else; the next release drops them. A transaction announces a subject once, by
-- whichever of the two comes first.
lock table invalidations in share row exclusive mode;
delete from invalidations again using invalidations first
 where again.transaction_id = first.transaction_id and again.kind = first.kind and again.subject = first.subject
   and again.id > first.id;
alter table invalidations add constraint invalidations_once unique (transaction_id, kind, subject);
drop index invalidations_by_transaction;

create or replace function invalidate() returns trigger language plpgsql as $$
begin
  execute format('insert into invalidations (kind, subject) select distinct %L, %s from changed on conflict do nothing',
    tg_argv[0], tg_argv[1]);
  return null;
end $$;

create or replace function finish_erasure(files_removed bigint) returns jsonb
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  gone constant bigint := tenant_to_erase();
  counted jsonb;
begin
  insert into erasures as e (tenant, code, file_count, erased_at)
    select id, code, files_removed, clock_timestamp() from tenants where id = gone
    on conflict (tenant) do update set file_count = excluded.file_count, erased_at = excluded.erased_at
    returning counts into counted;
  delete from tenants where id = gone;
  insert into invalidations (kind, subject) values ('tenant', gone), ('roles', gone) on conflict do nothing;
  return counted;
end $$;

alter table invalidations drop constraint invalidations_kind_check,
  add constraint invalidations_kind_check
    check (kind in ('session', 'user', 'roles', 'permissions', 'tenant', 'everything')) not valid;
