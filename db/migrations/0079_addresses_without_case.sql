-- atrium: no transaction
-- A forgotten password is asked for by the address, in any case. Row security lets an index serve a comparison of columns,
-- but not one of lower(), so the address without case is a column. The trigger fills it for every release; people from
-- before are filled in batches that commit one by one, and rows that somebody holds are left to another round.
drop index concurrently if exists users_by_address;
alter table users add column if not exists email_key text;

create or replace function fold_address() returns trigger language plpgsql as $$
begin
  new.email_key := nullif(lower(new.email), '');
  return new;
end $$;
create or replace trigger users_fold_address before insert or update of email on users
  for each row execute function fold_address();

do $$
declare
  tenant bigint;
  ids bigint[];
  latest bigint;
begin
  for tenant in select id from tenants loop
    loop
      latest := 0;
      loop
        perform set_config('app.tenant_id', tenant::text, true);
        select array_agg(id), max(id) into ids, latest from (
          select id from users where tenant_id = tenant and id > latest and email <> '' and email_key is null
           order by id limit 500) part;
        exit when ids is null;
        update users set email = email
         where tenant_id = tenant and id in (
           select id from users where tenant_id = tenant and id = any (ids) for no key update skip locked);
        commit;
      end loop;
      perform set_config('app.tenant_id', tenant::text, true);
      exit when not exists (select from users where tenant_id = tenant and email <> '' and email_key is null);
      perform pg_sleep(0.1);
    end loop;
  end loop;
end $$;

drop index concurrently if exists users_by_email_key;
create index concurrently users_by_email_key on users (tenant_id, email_key) where email_key is not null;
