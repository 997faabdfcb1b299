-- The proof of an erasure grows with it, so that one that is interrupted and goes on later loses no count. It is final when
-- `erased_at` is set.
alter table erasures
  alter column erased_at drop not null,
  alter column erased_at drop default,
  alter column counts set default '{}',
  alter column file_count set default 0,
  add column begun_at timestamptz(3) not null default clock_timestamp(),
  add constraint erasures_once unique (tenant);

create or replace function erase_rows(target regclass, most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  gone constant bigint := tenant_to_erase();
  gives constant boolean := not has_table_privilege(current_user, target, 'delete');
  leaves text := 'true';
  removed bigint;
begin
  -- If rows of the table refer to others of it, as departments do, those that no other row refers to go first.
  select coalesce(string_agg(format(
      'not exists (select from %s other where other.tenant_id = t.tenant_id and other.%I = t.%I and other.ctid <> t.ctid)',
      target, own.attname, theirs.attname), ' and '), 'true') into leaves
    from pg_constraint f
    cross join lateral unnest(f.conkey, f.confkey) as pair(own, theirs)
    join pg_attribute own on own.attrelid = target and own.attnum = pair.own and own.attname <> 'tenant_id'
    join pg_attribute theirs on theirs.attrelid = target and theirs.attnum = pair.theirs
   where f.contype = 'f' and f.conrelid = target and f.confrelid = target;
  -- An owner that works as the service has given up its right to delete.
  if gives then execute format('grant delete on %s to current_user', target); end if;
  execute format(
    'delete from %1$s where ctid = any (array(select t.ctid from %1$s t where t.tenant_id = $1 and %2$s limit $2)) and tenant_id = $1',
    target, leaves) using gone, most;
  get diagnostics removed = row_count;
  if gives then execute format('revoke delete on %s from current_user', target); end if;
  if removed > 0 then
    insert into erasures as e (tenant, code, counts)
      select t.id, t.code, jsonb_build_object(target::text, removed) from tenants t where t.id = gone
      on conflict (tenant) do update
      set counts = e.counts || jsonb_build_object(target::text, coalesce((e.counts ->> target::text)::bigint, 0) + removed);
  end if;
  return removed;
end $$;

drop function finish_erasure(jsonb, bigint);

-- Deletes the tenant itself, which fails if anything still refers to it, and completes the proof.
create function finish_erasure(files_removed bigint) returns jsonb
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
  insert into invalidations (kind, subject) values ('tenant', gone), ('roles', gone);
  return counted;
end $$;

do $$ begin
  revoke all on function finish_erasure from public;
  execute format('grant execute on function finish_erasure to %I', current_setting('atrium.service_role'));
end $$;
