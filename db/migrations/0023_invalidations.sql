-- Who may do what, and which tenants there are, every process remembers until somebody changes it. What was changed
-- stands here, whoever did it: another process, a release before this one, an operator. Each process asks a few times a
-- second what has come; so a request need not look up again what is still so.
--
-- Rows are asked for by their transactions and not by their order: one that commits late is not passed over.

create table invalidations (
  id             bigint generated always as identity primary key,
  transaction_id bigint not null default pg_current_xact_id()::text::bigint,
  kind           text not null check (kind in ('session', 'user', 'roles', 'permissions', 'tenant')),
  -- a session, a user, or the tenant whose roles or whose own row it is; 0 for the permissions, which all share
  subject        bigint not null,
  created_at     timestamptz(3) not null default clock_timestamp()
);
create index invalidations_by_transaction on invalidations (transaction_id);

-- Of what a statement has changed: of which kind, and in which column the subject stands.
create function invalidate() returns trigger language plpgsql as $$
begin
  execute format('insert into invalidations (kind, subject) select distinct %L, %s from changed', tg_argv[0], tg_argv[1]);
  return null;
end $$;

do $$
declare
  service text := current_setting('atrium.service_role');
  watched text[];
  event text;
begin
  execute format('grant select, insert, delete on invalidations to %I', service);
  foreach watched slice 1 in array array[
    ['sessions', 'session', 'id', 'delete update'],
    ['users', 'user', 'id', 'delete update'],
    ['user_roles', 'user', 'user_id', 'insert delete update'],
    ['roles', 'roles', 'tenant_id', 'delete update'],
    ['role_permissions', 'roles', 'tenant_id', 'insert delete update'],
    ['permissions', 'permissions', '0', 'delete update'],
    ['tenants', 'tenant', 'id', 'update']] loop
    foreach event in array string_to_array(watched[4], ' ') loop
      execute format('create trigger %1$s_invalidate_%2$s after %2$s on %1$s referencing %3$s table as changed for each statement execute function invalidate(%4$L, %5$L)',
        watched[1], event, case event when 'insert' then 'new' else 'old' end, watched[2], watched[3]);
    end loop;
  end loop;
  -- A role that is moved changes what both of its people may do.
  create trigger user_roles_invalidate_moved after update on user_roles referencing new table as changed
    for each statement execute function invalidate('user', 'user_id');
end $$;
