-- How tenants are kept apart, and what they share.
--
-- Every table with a tenant_id follows one shape: primary key (tenant_id, id), foreign keys that carry the tenant,
-- unique keys that begin with it, and `protect` as its last word. So a row can never point at another tenant's row,
-- and a duplicate never tells one tenant what another one holds. There are no triggers: Citus has none on the tables of
-- tenants, and the statements of the service do it themselves.

do $$ begin execute format('alter database %I set timezone to ''UTC''', current_database()); end $$;

-- What a table is beyond its columns. It stands here and not in code, so that rows stay safe where the code of their
-- plug-in is gone. By key:
--   withheld    what stays behind when the tenant's data leave: true, all rows; {"columns": […], "rows": "a condition"};
--               "not imported", rows that go along as evidence, and that nobody who imports them gets
--   sealed      encrypted columns, each with what the sealer knows as its place: {"secret": "hats {tenant_id}/{id}"}
--   secretOf    the column with the person whose secrets the rows are: they end with the person
--   references  columns that name rows without a foreign key: src/data/archive/facts.ts
create table table_facts (
  name  text primary key,
  facts jsonb not null,
  constraint table_facts_known check (facts - '{withheld,sealed,secretOf,references}'::text[] = '{}')
);
do $$ begin execute format('grant select on table_facts to %I', current_setting('atrium.service_role')); end $$;

-- Puts a table behind row security for everyone, its owner included, lets the service do `verbs` with it, no more, and says
-- what it is.
-- Policies compare with the setting itself instead of a subselect, because Citus supports no subqueries in policies. Each
-- statement names its tenant as well, so PostgreSQL compares the setting once for a statement and not for each row.
create function protect(target regclass, verbs text default 'select, insert, update, delete', facts jsonb default '{}')
returns void language plpgsql as $$
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
  insert into table_facts values ((select relname from pg_class where oid = target), protect.facts);
end $$;

-- Ends the secrets of a person of the tenant that was entered: keys, sessions, second factors, links that were mailed.
create function end_secrets(person bigint) returns void language plpgsql as $$
declare
  tenant constant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  secret record;
begin
  for secret in select t.name, t.facts ->> 'secretOf' as owner from table_facts t where t.facts ? 'secretOf' order by t.name loop
    execute format('delete from %I where tenant_id = $1 and %I = $2', secret.name, secret.owner) using tenant, person;
  end loop;
  update users set second_factor_at = null where tenant_id = tenant and id = person and second_factor_at is not null;
end $$;

-- Ends a flight that was decided on something that has changed: `select must(count(*)) from …` fails if there is no row.
-- The failure is a serialization failure by its class, so the sender reads again and starts over.
create function must(rows bigint) returns void language plpgsql as $$
begin
  if rows = 0 then
    raise exception 'what was read has changed since' using errcode = 'serialization_failure';
  end if;
end $$;

-- Shared tables, no tenant's own: the directory of tenants, the catalogue of permissions and the menus.

-- `content_version` rises with every change of what the public reads. It is read together with the tenant, so that
-- stored answers are not served after a change. A tenant that leaves is closed first: its people are refused, and until
-- `erase_at` everything can be taken back, to `status_before`. Then it is erased.
-- Without `session_days`, a session lasts as long as REFRESH_TOKEN_TTL says. Sessions that were last continued before
-- `sessions_since` have ended, and a longer time does not bring them back.
create table tenants (
  id                  bigint generated by default as identity primary key,
  name                text not null,
  code                text not null constraint tenants_code_taken unique,
  status              text not null default 'active' check (status in ('active', 'disabled', 'closing')),
  plan                text not null,
  expired_at          timestamptz(3),
  created_at          timestamptz(3) not null default clock_timestamp(),
  content_version     bigint not null default 0,
  registration        text not null default 'closed',
  settings_version    bigint not null default 0,
  locale              text not null default 'en' check (locale in ('en', 'zh-CN')),
  time_zone           text not null default 'UTC',
  second_factor       text not null default 'optional' check (second_factor in ('optional', 'required')),
  first_password      text not null default 'keep' check (first_password in ('keep', 'change')),
  password_min_length integer not null default 6 check (password_min_length between 6 and 64),
  session_days        integer check (session_days between 1 and 90),
  invitation_days     integer not null default 7 check (invitation_days between 1 and 30),
  erase_at            timestamptz(3),
  status_before       text,
  sessions_since      timestamptz(3),
  constraint tenants_closing_is_whole check ((status = 'closing') = (erase_at is not null) and (erase_at is null) = (status_before is null)),
  constraint tenants_registration_known check (registration in ('open', 'closed')),
  constraint tenants_status_before check (status_before in ('active', 'disabled'))
);

create table permissions (
  id          bigint generated by default as identity primary key,
  code        text not null constraint permissions_code_taken unique,
  name        text not null,
  description text,
  created_at  timestamptz(3) not null default clock_timestamp()
);

create table menus (
  id         bigint generated by default as identity primary key,
  parent_id  bigint references menus (id),
  name       text not null,
  path       text,
  component  text,
  icon       text,
  sort       integer not null default 0,
  visible    boolean not null default true,
  permission text,
  type       text not null default 'menu' check (type in ('directory', 'menu', 'button')),
  check (parent_id <> id)
);
create index menus_by_parent on menus (parent_id);

-- What processes remember of callers and tenants, and has changed. Each process asks a few times a second. Rows are asked
-- for by their transactions and not by their order: one that commits late is not passed over.
create table invalidations (
  id             bigint generated always as identity primary key,
  transaction_id bigint not null default pg_current_xact_id()::text::bigint,
  kind           text not null check (kind in ('session', 'user', 'roles', 'permissions', 'tenant', 'everything')),
  -- a session, a user, or the tenant whose roles or whose own row it is; 0 for what all share
  subject        bigint not null,
  created_at     timestamptz(3) not null default clock_timestamp(),
  constraint invalidations_once unique (transaction_id, kind, subject)
);

do $$
declare
  service text := current_setting('atrium.service_role');
begin
  execute format('grant select on schema_migrations to %I', service);
  execute format('grant select, insert, update on tenants to %I', service);
  execute format('grant select, insert, update, delete on menus, permissions to %I', service);
  execute format('grant select, insert, delete on invalidations to %I', service);
  execute format('grant usage on sequence tenants_id_seq, menus_id_seq, permissions_id_seq to %I', service);
end $$;

-- The first start makes tenant 1 with this very id.
alter table tenants alter column id restart with 2;
