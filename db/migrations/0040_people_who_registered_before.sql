-- atrium: no transaction
-- Fills the column of 0039 for people who are there already, in batches that commit one by one. Rows that somebody holds
-- are skipped, and another round follows.
--
-- The audit knows who registered: it is the first thing that they did. It does not know it of people who are older than
-- its oldest row, because old rows are removed. Of these, everyone who holds only the role `user` in a tenant that is open
-- for registration is taken for a stranger: until now they saw only their own files too, so they lose nothing, and an
-- administrator can clear the mark. In a closed tenant nobody is taken for a stranger without proof.
do $$
declare
  tenant record;
  oldest timestamptz;
  latest bigint;
  batch bigint[];
  strangers bigint[];
begin
  for tenant in select id, registration from tenants loop
    latest := 0;
    loop
      perform set_config('app.tenant_id', tenant.id::text, true);
      select created_at into oldest from audit_operations where tenant_id = tenant.id order by created_at limit 1;
      select array_agg(id), max(id) into batch, latest from (
        select id from users where tenant_id = tenant.id and id > latest order by id limit 500) part;
      exit when batch is null;
      select array_agg(person.id) into strangers from users person
       where tenant_id = tenant.id and id = any (batch) and not self_registered and (
         (select route = '/api/v1/auth/register' and status = 201 from audit_operations
           where tenant_id = tenant.id and user_id = person.id order by id limit 1)
         or tenant.registration = 'open' and created_at < coalesce(oldest, 'infinity')
            and array['user'] = array(
              select code from user_roles join roles on roles.tenant_id = user_roles.tenant_id and roles.id = role_id
               where user_roles.tenant_id = tenant.id and user_id = person.id));
      loop
        perform set_config('app.tenant_id', tenant.id::text, true);
        update users set self_registered = true
         where tenant_id = tenant.id and id in (
           select id from users where tenant_id = tenant.id and id = any (strangers) and not self_registered
              for no key update skip locked);
        commit;
        perform set_config('app.tenant_id', tenant.id::text, true);
        exit when not exists (
          select from users where tenant_id = tenant.id and id = any (strangers) and not self_registered);
        perform pg_sleep(0.1);
      end loop;
    end loop;
  end loop;
end $$;
