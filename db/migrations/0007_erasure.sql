-- What is left of an erased tenant: the proof. It names no person and holds nothing of what was erased. It belongs to no
-- tenant, because its tenant is gone. It grows with the erasure, so that one that is interrupted and goes on later loses
-- no count, and is final when `erased_at` is set.
create table erasures (
  id         bigint generated always as identity primary key,
  tenant     bigint not null constraint erasures_once unique,
  code       text not null,
  -- how many rows went, by table
  counts     jsonb not null default '{}',
  file_count bigint not null default 0,
  erased_at  timestamptz(3),
  begun_at   timestamptz(3) not null default clock_timestamp()
);

-- The service may not delete tenants, audit rows or history. These are the one way for them to go: of the tenant that was
-- entered, if it is closing and its time is over. They run as the owner, who may bypass every policy, so they name the
-- tenant themselves.
create function tenant_to_erase() returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  tenant constant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
begin
  perform from public.tenants
    where id = tenant and id <> 1 and status = 'closing' and erase_at <= clock_timestamp() for update;
  if not found then
    raise exception 'this tenant is not to be erased' using errcode = '55000';
  end if;
  return tenant;
end $$;

-- Deletes at most `most` rows of a table of the tenant. Citus refuses functions that are not immutable in what a conflict
-- changes, so the counts are added up before. The tenant is locked, so of two erasures only one does that at a time.
create function erase_rows(target regclass, most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  gone constant bigint := tenant_to_erase();
  gives constant boolean := not has_table_privilege(current_user, target, 'delete');
  leaves text := 'true';
  removed bigint;
  counted jsonb;
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
    counted := coalesce((select e.counts from erasures e where e.tenant = gone), '{}');
    counted := counted || jsonb_build_object(target::text, coalesce((counted ->> target::text)::bigint, 0) + removed);
    insert into erasures (tenant, code, counts)
      select t.id, t.code, counted from tenants t where t.id = gone
      on conflict (tenant) do update set counts = excluded.counts;
  end if;
  return removed;
end $$;

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
  insert into invalidations (kind, subject) values ('tenant', gone), ('roles', gone) on conflict do nothing;
  return counted;
end $$;

do $$
declare
  service text := current_setting('atrium.service_role');
begin
  execute format('grant select on erasures to %I', service);
  revoke all on function tenant_to_erase, erase_rows, finish_erasure from public;
  execute format('grant execute on function erase_rows, finish_erasure to %I', service);
end $$;
