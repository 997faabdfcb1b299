-- A tenant that leaves is closed first: its people are refused, and until erase_at everything can be taken back. Then it is
-- erased. `status_before` is what it returns to.
alter table tenants drop constraint tenants_status_check;
alter table tenants
  add column erase_at timestamptz(3),
  add column status_before text,
  add constraint tenants_status_check check (status in ('active', 'disabled', 'closing')),
  add constraint tenants_status_before check (status_before in ('active', 'disabled')),
  add constraint tenants_closing_is_whole
    check ((status = 'closing') = (erase_at is not null) and (erase_at is null) = (status_before is null));

-- What is left of an erased tenant: the proof. It names no person and holds nothing of what was erased. It belongs to no
-- tenant, because its tenant is gone.
create table erasures (
  id         bigint generated always as identity primary key,
  tenant     bigint not null,
  code       text not null,
  -- how many rows went, by table
  counts     jsonb not null,
  file_count bigint not null,
  erased_at  timestamptz(3) not null default clock_timestamp()
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

-- Deletes at most `most` rows of a table of the tenant. If rows of the table refer to others of it, as departments do, those
-- that no other row refers to go first.
create function erase_rows(target regclass, most integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant constant bigint := tenant_to_erase();
  gives constant boolean := not has_table_privilege(current_user, target, 'delete');
  leaves text := 'true';
  removed bigint;
begin
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
    target, leaves) using tenant, most;
  get diagnostics removed = row_count;
  if gives then execute format('revoke delete on %s from current_user', target); end if;
  return removed;
end $$;

-- Deletes the tenant itself, which fails if anything still refers to it, and keeps the proof.
create function finish_erasure(counted jsonb, files_removed bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant constant bigint := tenant_to_erase();
begin
  insert into erasures (tenant, code, counts, file_count)
    select id, code, counted, files_removed from tenants where id = tenant;
  delete from tenants where id = tenant;
  insert into invalidations (kind, subject) values ('tenant', tenant), ('roles', tenant);
end $$;

do $$
declare
  service text := current_setting('atrium.service_role');
begin
  execute format('grant select on erasures to %I', service);
  revoke all on function tenant_to_erase, erase_rows, finish_erasure from public;
  execute format('grant execute on function erase_rows, finish_erasure to %I', service);
end $$;
