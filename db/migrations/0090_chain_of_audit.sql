-- The audit as evidence: each row of a tenant gets a SHA-256, in hexadecimal digits, of the one before it and itself, so a row that was changed,
-- removed or inserted is found. A job adds the links after the commit, in the order of ids; they are rows of their own, so
-- the service still has no right to change a row of the audit.
create table audit_links (
  tenant_id bigint not null,
  id        bigint not null,
  chain     text not null,
  primary key (tenant_id, id)
);
select protect('audit_links', 'select, insert');

-- Both ends of each chain: its last link, and the last one that retention has removed.
create table audit_chains (
  tenant_id     bigint not null primary key references tenants (id),
  last_id       bigint not null default 0,
  last_chain    text not null default repeat('0', 64),
  removed_id    bigint not null default 0,
  removed_chain text not null default repeat('0', 64)
);
select protect('audit_chains', 'select, insert');
do $$ begin
  execute format('grant update (last_id, last_chain) on audit_chains to %I', current_setting('atrium.service_role'));
end $$;

-- Old rows now go in the order of ids, with their links, and the chain remembers where it begins. Rows that have no link
-- yet wait for it, unless the chain of the tenant has not begun.
create or replace function prune_audit(days integer, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tenant constant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  linked bigint;
  first bigint;
  last bigint;
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
  -- Nobody adds links meanwhile.
  insert into public.audit_chains as c (tenant_id) values (tenant)
    on conflict (tenant_id) do update set removed_id = c.removed_id
    returning c.last_id into linked;
  with oldest as (
    select id, created_at from public.audit_operations
     where tenant_id = tenant and id <= case linked when 0 then 9223372036854775807 else linked end
     order by id limit least(most, 10000))
  select min(id), max(id) into first, last from oldest
   where id < coalesce(
     (select min(id) from oldest where created_at >= now() - make_interval(days => least(days, 36500))),
     9223372036854775807);
  if last is null then
    return 0;
  end if;
  update public.audit_chains c set removed_id = l.id, removed_chain = l.chain
    from public.audit_links l
   where c.tenant_id = tenant and l.tenant_id = tenant and l.id = last;
  delete from public.audit_links where tenant_id = tenant and id between first and last;
  delete from public.audit_operations where tenant_id = tenant and id between first and last;
  get diagnostics removed = row_count;
  return removed;
end $$;
