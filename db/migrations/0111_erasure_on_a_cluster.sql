-- Citus refuses functions that are not immutable in what a conflict changes, so the counts are added up before. The tenant
-- is locked, so of two erasures only one does that at a time.
create or replace function erase_rows(target regclass, most integer) returns bigint
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
