-- Policies compare with the setting itself instead of a subselect, because Citus supports no subqueries in policies. Each
-- statement names its tenant as well, so PostgreSQL still compares the setting once for a statement and not for each row.

create or replace function protect(target regclass, verbs text default 'select, insert, update, delete') returns void
language plpgsql as $$
declare
  service text := current_setting('atrium.service_role');
  sequence text := (
    select pg_get_serial_sequence(target::text, attname) from pg_attribute
     where attrelid = target and attidentity <> '' and not attisdropped);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format($policy$
    create policy tenant_isolation on %s
      using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint)
      with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint)
  $policy$, target);
  if service = current_user then
    -- An owner who may not make the role works as itself: the policies are forced, and it gives up what it shall not do.
    execute format('revoke update, delete, truncate on %s from %I', target, service);
  end if;
  execute format('grant %s on %s to %I', verbs, target, service);
  if sequence is not null then
    execute format('grant usage on sequence %s to %I', sequence, service);
  end if;
end $$;

do $$
declare
  target regclass;
begin
  for target in select polrelid from pg_policy where polname = 'tenant_isolation' order by 1 loop
    execute format($policy$
      alter policy tenant_isolation on %s
        using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint)
        with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint)
    $policy$, target);
  end loop;
end $$;
