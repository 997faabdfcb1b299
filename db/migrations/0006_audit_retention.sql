-- Rows whose time is over go in small batches, and the audit is found by time and by how a request ended.

-- The service may insert and select, no more. This is the one way for a row to go: of the tenant that has been entered,
-- the oldest first, so many at once, and never of the last day, so that nobody can wipe a trace that is fresh. It runs
-- as the owner, who may be a superuser and past every policy: so it names the tenant itself.
create function prune_audit(days integer, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tenant constant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  removed integer;
begin
  if tenant is null then
    raise exception 'prune_audit works inside a tenant' using errcode = '22023';
  end if;
  if days is null or days < 1 then
    raise exception 'prune_audit leaves the last day alone' using errcode = '22023';
  end if;
  -- Of two replicas that come at once, one does it.
  if not pg_try_advisory_xact_lock(hashtextextended('prune_audit', tenant)) then
    return 0;
  end if;
  delete from public.audit_operations
   where tenant_id = tenant and id = any (array(
     select id from public.audit_operations
      where tenant_id = tenant and created_at < now() - make_interval(days => least(days, 36500))
      order by created_at, id limit least(most, 10000)));
  get diagnostics removed = row_count;
  return removed;
end $$;

do $$ begin
  revoke all on function prune_audit from public;
  execute format('grant execute on function prune_audit to %I', current_setting('atrium.service_role'));
end $$;

create index audit_operations_by_time on audit_operations (tenant_id, created_at, id);
-- Refusals are few, and written behind the answer: nobody waits for this index.
create index audit_operations_refused on audit_operations (tenant_id, status, id) where status >= 400;

create index sessions_by_expiry on sessions (tenant_id, expires_at);
create index refresh_tokens_by_expiry on refresh_tokens (tenant_id, expires_at);
